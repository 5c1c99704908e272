/*
 * What a page may use of `fairdeal`; the rest serves the parts and the tests.
 *
 * Bytes are Uint8Arrays; in reports hashes are lower-case hexadecimal. Cards are faces (0 … 53), seats count from 0.
 * Nothing keeps a state or touches what is shown. Texts for people are plain English and may hold what stands in a log,
 * so they belong into text nodes only; `id`, `code` and `place` are fixed. A *finding* is { code, place, expected,
 * found }, with the codes of SPEC "Codes"; a *state* is `passed`, `failed` or `not checked`.
 *
 * cryptoMissing(), async signaturesMissing()   why nothing, or no signature, can be computed here; else an empty text
 * toHex(bytes), fromHex(text)                  a RangeError unless lower-case
 * cardText(face), cardsText(faces)             `3c Td X1`
 * parseCards(text)                             faces; a RangeError that names what is no card
 * ascending(faces)
 *
 * async decodeTicket(text)                     a Ticket { termsHash, rounds, round, fingerprint, path, contributions,
 *                                              packs, jokers, position, seat }, or throws a Refusal { code, place }
 * async ticketLeadsTo(ticket)                  { leaf, nodes: [{ left, right, onLeft, hash }], root, commitment,
 *                                              transcript }, from the leaf up; `onLeft`: the path's hash is `left`
 * async verifyTicket(ticketText, seedText, { cards, commitment, contribution })
 *     Never throws for what people type; whatever is empty counts as not given, `cards` are a text or faces. Returns
 *     { verdict, findings, checks, ticket, commitment, transcript, hand, shuffle, open }: the verdict `verified`,
 *     `refuted`, `incomplete` or `no verdict`; checks { id, name, state, detail } for `ticket`, `seed`, `commitment`,
 *     `contribution`, `deal` and `cards`; hand and ShuffleSteps null while they cannot be known; `open`, what this
 *     leaves open, which always has to be said.
 * async shuffleSteps(seed, transcript, { round, packs, jokers, seats })
 *     ShuffleSteps { info, stream, used, fresh, draws: [{ i, mask, byte, j, accepted }], order, hands, blind }: `used`
 *     bytes of the stream, hands by position in the order dealt.
 * async fingerprint(termsHash, round, seed), seal(termsHash, commitment, seat, contribution)
 *
 * async decodeLog(bytes)                       { terms, termsHash, termsEnd, records, broken, parts, size, bytes }, or
 *                                              throws a Refusal if not even its terms can be read. A record is
 *                                              { start, end, record }, and that { type, … } with the names of
 *                                              vectors/README.md, "Records as JSON"; actions, gifts and seat events
 *                                              also have `tenths` and `actedFor`, null where there is none. `broken`
 *                                              is null or { code, place, why }; `parts` has what SPEC "Placement" says.
 * async checkReceipt(text, bytes, operatorKey) { fits, signed, reaches, findings }; `signed` null: not looked at
 * async checkLog(bytes, { tickets, receipts, commitment, operatorKey, contributions })
 *     Never throws for bad input. What is held against the log are texts, contributions by seat. Returns
 *     { verdict, findings, checks, log, commitment, transcript, digest, rounds, close, misplaced, tickets, receipts }.
 *     The verdict is `refuted`, `incomplete` or `no verdict`, never `verified`, since plays are not judged. Checks are
 *     those of SPEC, { id, number, name, state, detail, findings, passed, skipped }, ids `order`, `terms`,
 *     `commitment`, `contributions`, `signatures`, `seeds`, `deals`, `exchanges`, `plays`, `clock`, `places`,
 *     `titles`, `points`, `close`, `evidence`; those that need the rules are always `not checked`. Rounds are
 *     { index, number, start, first, seed, seating, positions, order, hands, blind, gifts, actions, events, end,
 *     places }: hands ascending by seat, `positions` the seats in the order dealt, `events` { after, record } with how
 *     many gifts and actions came before, `places` as the log claims them; null what cannot be known. Tickets are
 *     { text, round, seat, hand, findings, state }, with the round's index.
 */
{
  const { INCOMPLETE, Judge, Refusal, cryptoMissing, decodeLog, judgeClose, judgeOpening, judgeRounds } = fairdeal;
  const { sha256, toHex, weighEvidence } = fairdeal;

  function unread({ code, place, message }) {
    const finding = { code, place, expected: 'what can be read', found: message };
    const nothing = { log: null, commitment: '', transcript: '', digest: '', rounds: [], close: null, misplaced: [] };
    const checks = new Judge().settled();
    return { verdict: 'no verdict', findings: [finding], checks, ...nothing, tickets: [], receipts: [] };
  }

  /** A fault refutes, also before a byte that does not parse. Nothing is verified here: the plays are not judged. */
  function verdictOf(findings, broken) {
    const stopped = ['malformed', 'unsupported', 'unreadable'];
    if (findings.some(({ code }) => !INCOMPLETE.has(code) && !stopped.includes(code))) return 'refuted';
    return broken || findings.some(({ code }) => stopped.includes(code)) ? 'no verdict' : 'incomplete';
  }

  async function judged(log, given) {
    const judge = new Judge();
    const opening = await judgeOpening(log, judge);
    const rounds = await judgeRounds(log, opening, judge);
    await judgeClose(log, judge);
    const evidence = await weighEvidence({ log, opening, rounds }, given, judge);
    const { findings } = judge;
    if (log.broken) {
      const { code, place, why } = log.broken;
      findings.push({ code, place, expected: 'a log that can be read to its end', found: why });
    }
    const { commitment, close, misplaced } = log.parts;
    return {
      verdict: verdictOf(findings, log.broken), findings, checks: judge.settled(), log, rounds, misplaced, ...evidence,
      commitment: toHex(commitment ?? []), transcript: toHex(opening.made ?? []), close: close?.record ?? null,
    };
  }

  /** Checks a whole log as far as that takes no rules of play; text and bytes that cannot be read are findings too. */
  async function checkLog(bytes, given = {}) {
    try {
      if (cryptoMissing()) throw new Refusal('unreadable', '', cryptoMissing());
      const report = await judged(await decodeLog(bytes), given);
      return { ...report, digest: toHex(await sha256(bytes)) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return unread(error);
    }
  }

  Object.assign(fairdeal, { checkLog });
}
// The core ends here.
