// SPEC "Seeds", "Shuffle" and "Deal": from secrets to hands.
{
  const { Refusal, enc, hash, hkdf, leafHash, merkleTree, range, toHex } = fairdeal;
  const MAX_ROUNDS = 1000;
  const STREAM_LENGTH = 1024;
  const BLIND_LENGTH = 16;
  // What one byte of the stream can choose from.
  const MAX_SHUFFLED = 256;

  // ---- seeds and commitment

  const seedInfo = (round) => enc('round-seed', round);
  const roundSeed = (secret, termsHash, round) => hkdf(secret, termsHash, seedInfo(round), 32);
  const fingerprint = (termsHash, round, seed) => hash('fingerprint', termsHash, round, seed);
  const commitment = (termsHash, rounds, root) => hash('commitment', termsHash, rounds, root);

  /** All that a match secret leads to: seeds, fingerprints and leaves of rounds 1 … N, the tree and C. */
  async function schedule(secret, termsHash, rounds) {
    const numbers = range(rounds).map((at) => at + 1);
    const seeds = await Promise.all(numbers.map((round) => roundSeed(secret, termsHash, round)));
    const fingerprints = await Promise.all(numbers.map((round) => fingerprint(termsHash, round, seeds[round - 1])));
    const leaves = await Promise.all(fingerprints.map(leafHash));
    const tree = await merkleTree(leaves);
    return { seeds, fingerprints, leaves, tree, commitment: await commitment(termsHash, rounds, tree.hash) };
  }

  // ---- contributions

  const seal = (termsHash, committed, seat, value) => hash('contribution', termsHash, committed, seat, value);
  const encodeContributions = (contributions) => enc('contributions', ...contributions);

  /** T; the beacon is the empty string in this version. */
  async function transcript(termsHash, committed, contributions) {
    return hash('transcript', termsHash, committed, encodeContributions(contributions), new Uint8Array(0));
  }

  // ---- shuffle and deal

  function freshList(packs, jokersPerPack) {
    return range(packs).flatMap(() => range(52 + jokersPerPack));
  }

  const streamInfo = (round) => enc('deck', round);
  const deckStream = (seed, made, round) => hkdf(seed, made, streamInfo(round), STREAM_LENGTH);
  const roundBlind = (seed, made, round) => hkdf(seed, made, enc('blind', round), BLIND_LENGTH);

  function maskFor(limit) {
    let mask = 1;
    while (mask < limit) mask = 2 * mask + 1;
    return mask;
  }

  /** The order of the deck, and every draw as { i, mask, byte, j, accepted }. */
  function shuffleWith(cards, stream) {
    // A draw is one byte; a longer list would be shuffled unevenly without any sign of it.
    if (cards.length > MAX_SHUFFLED) throw new RangeError('more cards than a byte can choose from');
    const order = [...cards];
    const draws = [];
    for (let i = order.length - 1; i >= 1; i -= 1) {
      const mask = maskFor(i);
      let j;
      do {
        // The stream is never extended: SPEC "Shuffle".
        if (draws.length === stream.length) throw new Refusal('stream-exhausted', '', 'the stream ends too soon');
        const byte = stream[draws.length];
        j = byte & mask;
        draws.push({ i, mask, byte, j, accepted: j <= i });
      } while (j > i);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return { draws, order };
  }

  /** Hands by position, each in the order in which its cards were dealt. */
  function deal(order, seats) {
    return range(seats).map((position) => order.filter((_, at) => at % seats === position));
  }

  const ascending = (faces) => [...faces].sort((left, right) => left - right);

  /** Every step from a round's seed and T to the hands by position; see the last part for what comes back. */
  async function shuffleSteps(seed, made, { round, packs, jokers, seats }) {
    const stream = await deckStream(seed, made, round);
    const fresh = freshList(packs, jokers);
    const { draws, order } = shuffleWith(fresh, stream);
    return {
      info: toHex(streamInfo(round)),
      stream: toHex(stream),
      used: draws.length,
      fresh,
      draws,
      order,
      hands: deal(order, seats),
      blind: toHex(await roundBlind(seed, made, round)),
    };
  }

  Object.assign(fairdeal, { MAX_ROUNDS, MAX_SHUFFLED, seedInfo, fingerprint, commitment, schedule });
  Object.assign(fairdeal, { seal, encodeContributions, transcript, shuffleWith, ascending, shuffleSteps });
}
