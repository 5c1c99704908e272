// The dealing half of protocol fairdeal/v1, written from vectors/SPEC.md alone: hashes, seeds, contributions, shuffle
// and deal. Only WebCrypto is used, so that the same file runs in a browser. Byte strings are Uint8Arrays.

const subtle = globalThis.crypto.subtle;
const TAG = 'fairdeal/v1/';
const EMPTY = new Uint8Array(0);

// SPEC "Limits" and "Shuffle"; 256 is what one byte of the stream can choose from.
export const MAX_ROUNDS = 1000;
export const STREAM_LENGTH = 1024;
export const MAX_SHUFFLED = 256;

/** What a verifier refuses, with the code and place of SPEC "Codes". */
export class Refusal extends Error {
  constructor(code, place, why) {
    super(why);
    this.code = code;
    this.place = place;
  }
}

// ---- bytes

export function concat(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function equal(left, right) {
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}

export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes of lower-case hexadecimal digits; throws a RangeError for any other text. */
export function fromHex(text) {
  if (text.length % 2 !== 0 || /[^0-9a-f]/.test(text)) throw new RangeError('not lower-case hexadecimal');
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

export function bigEndian(value, length) {
  // Division instead of shifts: these cut a number down to 32 bits, and fields go up to 2^53-1.
  const bytes = new Uint8Array(length);
  for (let at = length - 1, rest = value; at >= 0; at -= 1, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  return bytes;
}

// ---- SPEC "Primitives"

function field(value) {
  if (value instanceof Uint8Array) return value;
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`no integer field: ${value}`);
  return bigEndian(value, 8);
}

/** enc(purpose, …): what is under every hash and every HKDF info. A field is a Uint8Array or an integer. */
export function enc(purpose, ...fields) {
  const tag = new TextEncoder().encode(TAG + purpose);
  const parts = fields.map(field).flatMap((bytes) => [bigEndian(bytes.length, 4), bytes]);
  return concat(bigEndian(tag.length, 2), tag, bigEndian(fields.length, 2), ...parts);
}

export async function sha256(bytes) {
  return new Uint8Array(await subtle.digest('SHA-256', bytes));
}

export async function hash(purpose, ...fields) {
  return sha256(enc(purpose, ...fields));
}

export async function hkdf(key, salt, info, length) {
  const material = await subtle.importKey('raw', key, 'HKDF', false, ['deriveBits']);
  const bits = await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, material, 8 * length);
  return new Uint8Array(bits);
}

// ---- Merkle tree of RFC 6962, SPEC "Primitives"

export async function leafHash(data) {
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
export async function merkleTree(leaves) {
  if (leaves.length === 1) return { hash: leaves[0], size: 1 };
  const cut = leftSize(leaves.length);
  const left = await merkleTree(leaves.slice(0, cut));
  const right = await merkleTree(leaves.slice(cut));
  return { hash: await nodeHash(left.hash, right.hash), size: leaves.length, left, right };
}

/** Audit path of a leaf, counted from 0, from the leaf upwards. */
export function auditPath(tree, index) {
  if (tree.size === 1) return [];
  const { left, right } = tree;
  if (index < left.size) return [...auditPath(left, index), right.hash];
  return [...auditPath(right, index - left.size), left.hash];
}

/** For each hash of the path of a leaf, from the leaf upwards: whether it stands on the left. */
export function pathSides(index, size) {
  if (size === 1) return [];
  const cut = leftSize(size);
  return index < cut ? [...pathSides(index, cut), false] : [...pathSides(index - cut, size - cut), true];
}

export async function rootFromPath(leaf, path, index, size) {
  let node = leaf;
  for (const [level, onLeft] of pathSides(index, size).entries()) {
    node = onLeft ? await nodeHash(path[level], node) : await nodeHash(node, path[level]);
  }
  return node;
}

// ---- SPEC "Seeds"

export function seedInfo(round) {
  return enc('round-seed', round);
}

export async function roundSeed(secret, termsHash, round) {
  return hkdf(secret, termsHash, seedInfo(round), 32);
}

export async function fingerprint(termsHash, round, seed) {
  return hash('fingerprint', termsHash, round, seed);
}

export async function commitment(termsHash, rounds, root) {
  return hash('commitment', termsHash, rounds, root);
}

/** All that a match secret leads to: seeds, fingerprints and leaves of rounds 1 … N, the tree and C. */
export async function schedule(secret, termsHash, rounds) {
  const numbers = Array.from({ length: rounds }, (_, at) => at + 1);
  const seeds = await Promise.all(numbers.map((round) => roundSeed(secret, termsHash, round)));
  const fingerprints = await Promise.all(numbers.map((round) => fingerprint(termsHash, round, seeds[round - 1])));
  const leaves = await Promise.all(fingerprints.map(leafHash));
  const tree = await merkleTree(leaves);
  return { seeds, fingerprints, leaves, tree, commitment: await commitment(termsHash, rounds, tree.hash) };
}

// ---- SPEC "Seeds", "Contributions"

export async function seal(termsHash, committed, seat, contribution) {
  return hash('contribution', termsHash, committed, seat, contribution);
}

export function encodeContributions(contributions) {
  return enc('contributions', ...contributions);
}

/** T; the beacon is the empty string in this version. */
export async function transcript(termsHash, committed, contributions) {
  return hash('transcript', termsHash, committed, encodeContributions(contributions), EMPTY);
}

// ---- SPEC "Cards", "Shuffle" and "Deal"

export function cardText(face) {
  return face < 52 ? '3456789TJQKA2'[face >> 2] + 'cdhs'[face & 3] : `X${face - 51}`;
}

export function freshList(packs, jokersPerPack) {
  const pack = Array.from({ length: 52 + jokersPerPack }, (_, face) => face);
  return Array.from({ length: packs }, () => pack).flat();
}

export function streamInfo(round) {
  return enc('deck', round);
}

export async function deckStream(seed, transcriptHash, round) {
  return hkdf(seed, transcriptHash, streamInfo(round), STREAM_LENGTH);
}

export async function blind(seed, transcriptHash, round) {
  return hkdf(seed, transcriptHash, enc('blind', round), 16);
}

function maskFor(limit) {
  let mask = 1;
  while (mask < limit) mask = 2 * mask + 1;
  return mask;
}

/** The order of the deck and every draw as [i, byte, j, accepted]. */
export function shuffle(cards, stream) {
  // A draw is one byte; a longer list would be shuffled unevenly without any sign of it.
  if (cards.length > MAX_SHUFFLED) throw new RangeError('more cards than a byte can choose from');
  const order = [...cards];
  const draws = [];
  let used = 0;
  for (let i = order.length - 1; i >= 1; i -= 1) {
    const mask = maskFor(i);
    let j;
    do {
      // The stream is never extended: SPEC "Shuffle".
      if (used === stream.length) throw new Refusal('stream-exhausted', '', 'the stream ends too soon');
      const byte = stream[used];
      used += 1;
      j = byte & mask;
      draws.push([i, byte, j, j <= i]);
    } while (j > i);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return { draws, order };
}

/** Hands by position, each in the order in which its cards were dealt. */
export function deal(order, seats) {
  return Array.from({ length: seats }, (_, position) => order.filter((_, at) => at % seats === position));
}
