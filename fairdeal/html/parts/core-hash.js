// The primitives of SPEC "Primitives" and the signatures of "Signatures".
{
  const { bigEndian, concat, fromHex } = fairdeal;
  const TAG = 'fairdeal/v1/';

  /** A sentence that says why nothing can be computed here, or an empty text. */
  function cryptoMissing() {
    if (globalThis.crypto?.subtle) return '';
    return 'This browser offers no cryptography to a page from this address: open the file itself, or over https.';
  }

  // ---- enc, hashes and HKDF

  function field(value) {
    if (value instanceof Uint8Array) return value;
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`no integer field: ${value}`);
    return bigEndian(value, 8);
  }

  /** enc(purpose, …): what is under every hash and every HKDF info. A field is a Uint8Array or an integer. */
  function enc(purpose, ...fields) {
    const tag = new TextEncoder().encode(TAG + purpose);
    const parts = fields.map(field).flatMap((bytes) => [bigEndian(bytes.length, 4), bytes]);
    return concat(bigEndian(tag.length, 2), tag, bigEndian(fields.length, 2), ...parts);
  }

  async function sha256(bytes) {
    return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  }

  async function hash(purpose, ...fields) {
    return sha256(enc(purpose, ...fields));
  }

  async function hkdf(key, salt, info, length) {
    const material = await crypto.subtle.importKey('raw', key, 'HKDF', false, ['deriveBits']);
    const bits = await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, material, 8 * length);
    return new Uint8Array(bits);
  }

  // ---- Merkle tree of RFC 6962

  async function leafHash(data) {
    return sha256(concat(Uint8Array.of(0), data));
  }

  async function nodeHash(left, right) {
    return sha256(concat(Uint8Array.of(1), left, right));
  }

  function leftSize(size) {
    let left = 1;
    while (2 * left < size) left *= 2;
    return left;
  }

  /** The tree over leaf hashes as nested { hash, size, left, right }, a leaf without the last two. */
  async function merkleTree(leaves) {
    if (leaves.length === 1) return { hash: leaves[0], size: 1 };
    const cut = leftSize(leaves.length);
    const left = await merkleTree(leaves.slice(0, cut));
    const right = await merkleTree(leaves.slice(cut));
    return { hash: await nodeHash(left.hash, right.hash), size: leaves.length, left, right };
  }

  /** Audit path of a leaf, counted from 0, from the leaf upwards. */
  function auditPath(tree, index) {
    if (tree.size === 1) return [];
    const { left, right } = tree;
    if (index < left.size) return [...auditPath(left, index), right.hash];
    return [...auditPath(right, index - left.size), left.hash];
  }

  /** For each hash of the path of a leaf, from the leaf upwards: whether it stands on the left. */
  function pathSides(index, size) {
    if (size === 1) return [];
    const cut = leftSize(size);
    return index < cut ? [...pathSides(index, cut), false] : [...pathSides(index - cut, size - cut), true];
  }

  /** The nodes from a leaf to the root, each { left, right, onLeft, hash }: onLeft where the path's hash is left. */
  async function nodesFromPath(leaf, path, index, size) {
    const nodes = [];
    let hashed = leaf;
    for (const [level, onLeft] of pathSides(index, size).entries()) {
      const [left, right] = onLeft ? [path[level], hashed] : [hashed, path[level]];
      hashed = await nodeHash(left, right);
      nodes.push({ left, right, onLeft, hash: hashed });
    }
    return nodes;
  }

  // ---- Ed25519

  const Y_MASK = (1n << 255n) - 1n;
  const PRIME = (1n << 255n) - 19n;
  const littleEndian = (bytes) => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  // The y coordinates of the eight points of small order.
  const WEAK = new Set([
    0n,
    1n,
    PRIME - 1n,
    littleEndian(fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')),
    littleEndian(fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')),
  ]);

  function isWeakKey(key) {
    const y = littleEndian(key) & Y_MASK;
    return y >= PRIME || WEAK.has(y);
  }

  function signedMessage(termsHash, signer, offset, digest) {
    return enc('signature', termsHash, signer, offset, digest);
  }

  let known; // whether there is Ed25519 here, once that has been asked

  /** A sentence that says why no signature can be looked at here, or an empty text. */
  async function signaturesMissing() {
    // The first test key of RFC 8032: a browser that knows the algorithm takes it.
    const key = fromHex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
    known ??= cryptoMissing()
      ? Promise.resolve(false)
      : crypto.subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify']).then(() => true, () => false);
    return (await known) ? '' : 'this browser cannot check Ed25519 signatures';
  }

  /** Whether a signature fits; a weak key fits none. Only to be asked where signaturesMissing() is empty. */
  async function verifySignature(key, signature, message) {
    if (isWeakKey(key)) return false;
    try {
      const imported = await crypto.subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify']);
      return await crypto.subtle.verify({ name: 'Ed25519' }, imported, signature, message);
    } catch {
      // Some browsers do not import a key that is no point of the curve; such a key fits no signature.
      return false;
    }
  }

  Object.assign(fairdeal, { cryptoMissing, enc, sha256, hash, hkdf });
  Object.assign(fairdeal, { leafHash, merkleTree, auditPath, pathSides, nodesFromPath });
  Object.assign(fairdeal, { isWeakKey, signedMessage, signaturesMissing, verifySignature });
}
