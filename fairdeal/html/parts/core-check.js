// SPEC "What an auditor checks", 6, 7 and 14, as far as they do not need the rules of play.
{
  const { ascending, contributors, judgeSignatures, range, sha256, shuffleSteps, signingKeys, toHex } = fairdeal;

  const rotated = (seats, at) => [...seats.slice(at), ...seats.slice(0, at)];

  /** The finishing order that an end of round claims, or null where its places are no order. */
  function claimedOrder(end) {
    if (!end) return null;
    const order = range(end.places.length).map((at) => end.places.indexOf(at + 1));
    return order.includes(-1) ? null : order;
  }

  /**
   * The seats clockwise in a round, or null if only play can tell. `before` is the finishing order of the round before,
   * undefined in front of the first and null where the log claims none that could be one.
   */
  function seatingOf({ rules, seats }, before) {
    if (!rules.reseat || before === undefined) return range(seats.length);
    return before;
  }

  /** The seat that has to be dealt the first card, or null if only play can tell. */
  function firstSeat({ rules }, seating, before, number) {
    if (rules.first_card === 'left-of-last' && before === null) return null;
    if (!seating) return null;
    if (rules.first_card === 'rotates') return seating[(number - 1) % seating.length];
    if (rules.first_card === 'first-place' || before === undefined) return seating[0];
    return seating[(seating.indexOf(before.at(-1)) + 1) % seating.length];
  }

  /** The seed to deal a round with: from the secret if that makes the commitment, else what the log reveals. */
  function seedOf({ deal, end }, place, tree, judge) {
    if (!tree) {
      judge.skipped('seeds', `${place}: no revealed secret makes the commitment`);
      return end?.seed ?? null;
    }
    const seed = tree.seeds[deal.round - 1] ?? null;
    if (!seed) judge.skipped('seeds', `${place}: the commitment holds no seed for round ${deal.round}`);
    else if (end) judge.compare('seeds', 'seed', `${place}.end`, seed, end.seed);
    return seed;
  }

  /** Deals a round again, by the seat that the log names; returns order, hands by seat and what the blind shows. */
  async function dealRound(round, place, seed, made, { rules, seats }, seating, judge) {
    if (!seed || !made) {
      const reason = seed ? 'the commitment or a contribution is missing' : 'its seed is not revealed';
      judge.skipped('deals', `${place}: ${reason}`);
      return { order: null, positions: null, hands: null, blind: 'not checked' };
    }
    const { packs, jokers_per_pack: jokers } = rules;
    const steps = await shuffleSteps(seed, made, { round: round.deal.round, packs, jokers, seats: seats.length });
    const fits = judge.compare('deals', 'blind', `${place}.deal`, steps.blind, round.deal.blind);
    const positions = seating && rotated(seating, seating.indexOf(round.deal.first));
    const hands = positions && range(seats.length).map((seat) => ascending(steps.hands[positions.indexOf(seat)]));
    return { order: steps.order, positions, hands, blind: fits ? 'passed' : 'failed' };
  }

  async function judgeRound(log, round, index, standing, opening, judge) {
    const { terms } = log;
    const { deal, gifts, actions, events, end, start } = round;
    const place = `round[${index}]`;
    judge.compare('deals', 'round-number', `${place}.deal`, standing.number + 1, deal.round);
    const seed = seedOf(round, place, opening.tree, judge);
    const seating = seatingOf(terms, standing.before);
    const first = firstSeat(terms, seating, standing.before, deal.round);
    if (first === null) judge.skipped('deals', `${place}: who is dealt the first card follows from the round before`);
    else judge.compare('deals', 'first-card', `${place}.deal`, `seat ${first}`, `seat ${deal.first}`);
    const dealt = await dealRound(round, place, seed, opening.made, terms, seating, judge);
    return {
      index, number: deal.round, start, first: deal.first, seed: seed ? toHex(seed) : '', seating, ...dealt,
      gifts, actions, events, end, places: claimedOrder(end) ? end.places : null,
    };
  }

  /** Judges all rounds; returns what is known of each, see the last part. */
  async function judgeRounds(log, opening, judge) {
    const { rounds, close } = log.parts;
    const byRule = close?.record.reason === 'by-rule';
    const standing = { number: 0, before: undefined };
    const judged = [];
    for (const [at, round] of rounds.entries()) {
      judged.push(await judgeRound(log, round, at + 1, standing, opening, judge));
      Object.assign(standing, { number: round.deal.round, before: claimedOrder(round.end) });
      if (!round.end && (byRule || at + 1 < rounds.length)) {
        judge.fault('order', 'round-end-missing', `round[${at + 1}].end`, 'the end of the round', null);
      }
    }
    return judged;
  }

  // ---- the close

  /** Totals follow from the points that the rounds claim, unless one claims none. */
  function judgeTotals({ terms, parts }, { reason, totals }, judge) {
    const { rounds } = parts;
    const counted = reason === 'by-rule' || rounds.at(-1)?.end ? rounds : rounds.slice(0, -1);
    if (counted.some(({ end }) => !end)) {
      judge.skipped('close', 'the totals: a round has no end');
      return;
    }
    const sum = (seat) => counted.reduce((so, { end }) => so + end.points[seat], terms.rules.start_points);
    judge.compare('close', 'totals', 'close', range(terms.seats.length).map(sum), totals);
  }

  /** Whether a seat, or null for the operator, owes what a void match was closed for. */
  function owes({ terms, parts }, reason, seat) {
    const lacks = (group) => contributors(terms).includes(seat) && group.every((one) => one.seat !== seat);
    const signer = seat === null ? 0 : seat + 1;
    const unsigned = parts.lockSignatures.every((one) => one.signer !== signer);
    if (reason === 'not-sealed') return lacks(parts.sealed);
    if (reason === 'not-opened') return lacks(parts.opened);
    return reason !== 'not-signed' || (signingKeys(terms).has(signer) && unsigned);
  }

  function judgeReason(log, { reason, seat, places }, judge) {
    const named = seat === null ? 'no seat' : `seat ${seat}`;
    if (reason === 'by-rule') {
      judge.skipped('close', 'whether the match may end here, and its final places, follow from the rules of play');
      if (seat !== null) judge.fault('close', 'close-reason', 'close', 'no seat named', named);
      return;
    }
    judge.compare('close', 'final-places', 'close', [], places);
    const dealt = reason !== 'stopped' && log.parts.rounds.length > 0;
    if (dealt || !owes(log, reason, seat)) {
      judge.fault('close', 'close-reason', 'close', 'who still owed this before any deal', `${reason}, ${named}`);
    }
    judge.fault('close', 'void', 'close', 'a match closed by rule', `${reason}, ${named}`);
  }

  /** Judges close, close signatures and the final signature. */
  async function judgeClose(log, judge) {
    const { bytes, terms, parts, broken } = log;
    const { close, final } = parts;
    await judgeSignatures(log, parts.closeSignatures, parts.closeSigned, 'close', judge);
    if (!close) {
      if (broken) judge.skipped('close', 'reading stopped before one');
      else judge.fault('close', 'unfinished', 'close', 'the match to close', 'the log ends before');
      return;
    }
    judge.compare('close', 'digest', 'close', await sha256(bytes.subarray(0, close.start)), close.record.digest);
    judgeTotals(log, close.record, judge);
    judgeReason(log, close.record, judge);
    if (final) await judgeSignatures(log, [final], close.end, 'final', judge);
    else if (terms.operatorKey.length > 0) {
      const place = 'final.signature[operator]';
      judge.fault('signatures', 'signature-missing', place, 'a signature after the close', null);
    }
  }

  Object.assign(fairdeal, { judgeRounds, judgeClose });
}
