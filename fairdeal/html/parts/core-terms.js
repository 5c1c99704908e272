// SPEC "Rules in the terms" and "Terms": the first record of a log.
{
  const { Refusal, isWeakKey, must, range, shapes, toHex } = fairdeal;
  const { integer, binary, text, choice, listOf, fields } = shapes;
  const PROTOCOL = 'fairdeal/v1';
  const KNOWN_POLICIES = [0, 1];
  const MAX_POINTS = 1_000_000;
  const KINDS = ['human', 'easy', 'medium', 'hard', 'bot'];

  const NAME = text(1, 64);
  const FLAG = choice(false, true);
  const POINTS = integer(-MAX_POINTS, MAX_POINTS);
  const KEY = binary(0, 32);
  const NATURAL = integer(0, Number.MAX_SAFE_INTEGER);

  const RULES = fields(
    ['name', NAME],
    ['packs', integer(1, 2)],
    ['jokers_per_pack', integer(0, 2)],
    ['joker', choice('none', 'high', 'wild')],
    ['lone_joker', choice('ordinary', 'trump', 'sweep', 'as-two')],
    ['twos', choice('ordinary', 'clear', 'clear-and-one-beats-any', 'wild')],
    ['equal_rank', choice('forbid', 'skip', 'skip-if-unable', 'burn')],
    ['top_rank_matchable', FLAG],
    ['pass', choice('open', 'locks')],
    ['completed_rank', choice('ignore', 'clear', 'clear-if-several-plays')],
    ['revolution', choice('none', 'round', 'trick')],
    ['straights', FLAG],
    ['going_out', choice('free', 'drops')],
    ['first_leader', choice('3c', 'first-dealt')],
    ['first_play_3c', FLAG],
    ['later_leader', choice('last', 'president', '3c')],
    ['first_card', choice('first-place', 'rotates', 'left-of-last')],
    ['exchange_top', integer(0, 18)],
    ['exchange_vice', integer(0, 18)],
    ['reseat', FLAG],
    ['points', listOf(POINTS, 0, 8)],
    ['start_points', POINTS],
    ['match_end', choice('rounds', 'target', 'zero', 'open')],
    ['end_at', integer(0, 1_000_000)],
    ['ties', choice('presidencies', 'shared', 'none')],
    ['turn_seconds', integer(0, 86_400)],
    ['titles', listOf(NAME, 5, 5)],
  );

  const TERMS = fields(
    ['record', integer(0, 0)],
    ['protocol', NAME],
    ['matchId', binary(16)],
    ['sequence', NATURAL],
    ['operatorKey', KEY],
    ['rules', RULES],
    ['seats', listOf(fields(['name', NAME], ['kind', choice(...KINDS)], ['key', KEY]), 3, 8)],
    ['rounds', integer(1, fairdeal.MAX_ROUNDS)],
    ['contributions', choice('none', 'sealed')],
    ['beacon', text(0, 64)],
    ['botPolicy', NATURAL],
  );

  /** The terms that the first value of a log holds; throws Malformed, or a Refusal where they are unsupported. */
  function readTerms(value) {
    must(Array.isArray(value) && value[0] === 0, 'no terms of a match');
    const unsupported = (why) => new Refusal('unsupported', 'terms', why);
    const protocol = NAME(value[1]);
    if (protocol !== PROTOCOL) throw unsupported(`protocol ${protocol}`);
    const { record, ...terms } = TERMS(value);
    must([0, terms.seats.length].includes(terms.rules.points.length), 'points for another number of seats');
    if (terms.beacon) throw unsupported(`beacon policy ${terms.beacon}`);
    if (!KNOWN_POLICIES.includes(terms.botPolicy)) throw unsupported(`bot policy ${terms.botPolicy}`);
    return terms;
  }

  /** The seats that owe a contribution. */
  function contributors({ contributions, seats }) {
    return range(seats.length).filter((seat) => contributions === 'sealed' && seats[seat].kind === 'human');
  }

  /** The keys of the signers: by number, 0 for the operator, s + 1 for seat s; a Map in ascending order. */
  function signingKeys({ operatorKey, seats }) {
    const keys = [operatorKey, ...seats.map(({ key }) => key)];
    return new Map([...keys.entries()].filter(([, key]) => key.length > 0));
  }

  function signerName(signer) {
    return signer === 0 ? 'operator' : `seat ${signer - 1}`;
  }

  // ---- contradictions

  function deckContradictions(is, rules, smallest) {
    const { packs, jokers_per_pack: jokers } = rules;
    return [
      [rules.exchange_vice > rules.exchange_top, 'vices exchange more cards than first and last'],
      [rules.exchange_vice > 0 && is.three, 'vices exchange cards at a table of three'],
      [rules.exchange_top > smallest, 'more cards are exchanged than the smallest hand has'],
      [is.noPoints && is.byPoints, 'the match ends by points, and there are none'],
      [is.noPoints && rules.start_points !== 0, 'points at the start, and none later'],
      [is.noPoints !== (rules.ties === 'none'), 'points without final places, or the reverse'],
      [rules.end_at !== 0 && (is.zero || is.open), 'an end that is never asked for'],
      [is.overAtOnce, 'the match is over before it starts'],
      [is.unreachable, 'nobody can get to the end of the match'],
      [is.rounds && rules.end_at > is.maximum, 'more rounds than there can be'],
      [(rules.joker === 'none') !== (jokers === 0), 'jokers in the deck without a use, or the reverse'],
      [packs === 2 && is.seats < 5, 'two packs with fewer than five seats'],
      [jokers === 1, 'one joker per pack'],
    ];
  }

  function playContradictions(rules) {
    const { lone_joker: lone, twos, equal_rank: equalRank, revolution } = rules;
    return [
      [lone !== 'ordinary' && rules.jokers_per_pack === 0, 'a rule for lone jokers, and no jokers'],
      [lone === 'as-two' && rules.joker === 'high', 'a lone joker as a 2, and jokers above the 2'],
      [lone === 'as-two' && twos !== 'ordinary', 'a lone joker as a 2, and 2s of special power'],
      [lone === 'as-two' && revolution !== 'none', 'a lone joker as a 2, and revolutions'],
      [rules.straights && lone !== 'ordinary', 'straights, and lone jokers of special power'],
      [rules.straights && twos === 'wild', 'straights, and wild 2s'],
      [equalRank !== 'forbid' && ['sweep', 'as-two'].includes(lone), 'equal ranks, and jokers that sweep or are 2s'],
      [equalRank !== 'forbid' && twos === 'wild', 'equal ranks, and wild 2s'],
      [revolution !== 'none' && twos === 'wild', 'revolutions, and wild 2s'],
      [rules.completed_rank === 'clear-if-several-plays' && rules.packs === 2, 'complete ranks with two packs'],
      [rules.first_play_3c && rules.first_leader !== '3c', 'a first play with 3c by who need not hold it'],
    ];
  }

  /** What in well-formed terms contradicts itself, as sentences in the order of SPEC "Terms". */
  function contradictions(terms) {
    const { rules, rounds: maximum } = terms;
    const { points, start_points: start, end_at: end, match_end: ends } = rules;
    const seats = terms.seats.length;
    const is = { [ends]: true, seats, maximum, three: seats === 3, noPoints: points.length === 0 };
    is.byPoints = ends === 'target' || ends === 'zero';
    is.overAtOnce = { rounds: end === 0, target: start >= end, zero: start <= 0, open: false }[ends];
    const sign = { target: 1, zero: -1 }[ends];
    is.unreachable = !is.noPoints && is.byPoints && !points.some((figure) => figure * sign > 0);
    const smallest = Math.floor((rules.packs * (52 + rules.jokers_per_pack)) / seats);
    const found = [...deckContradictions(is, rules, smallest), ...playContradictions(rules)];
    found.push([terms.contributions === 'sealed' && contributors(terms).length === 0, 'no human seat to contribute']);
    const levelless = (kind) => terms.botPolicy === 1 && kind === 'bot';
    found.push(...terms.seats.map(({ kind }, seat) => [levelless(kind), `seat ${seat} is a bot of no stated level`]));
    return found.filter(([holds]) => holds).map(([, why]) => why);
  }

  /** Keys that no signature counts under, each [signer, code, hex]. */
  function badKeys(terms) {
    const keys = [...signingKeys(terms)].map(([signer, key]) => [signer, toHex(key), isWeakKey(key)]);
    const count = (hex) => keys.filter(([, other]) => other === hex).length;
    const coded = keys.map(([signer, hex, weak]) => [signer, weak ? 'weak-key' : 'repeated-key', hex]);
    return coded.filter(([, code, hex]) => code === 'weak-key' || count(hex) > 1);
  }

  Object.assign(fairdeal, { KINDS, POINTS, readTerms, contributors, signingKeys, signerName, contradictions, badKeys });
}
