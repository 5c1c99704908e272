'use strict';
// The state of a replayed table at any step. Nothing here knows the rules: the data says of every step what it did.

/** What the parts of the replay share; each adds to it and keeps the rest to itself. */
const replay = {};

{
  const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz01';

  const data = JSON.parse(document.getElementById('data').textContent);

  /** Seats, titles, findings and rounds as the report was given them. */
  replay.match = data;

  const facesOf = (text) => [...text].map((letter) => LETTERS.indexOf(letter));

  /** Reads one step: its kind (`a` action, `g` gift, `e` seat event), seat and cards, and what it did to the table. */
  const parseStep = (text) => {
    const [head, ...words] = text.split(' ');
    const step = { kind: head[0], seat: Number(head[1]), cards: [], effects: {} };
    if (step.kind === 'g') Object.assign(step, { to: Number(head[2]), cards: facesOf(head.slice(3)) });
    else if (step.kind === 'e') Object.assign(step, { what: head[2], by: head[3] });
    else step.cards = facesOf(head.slice(2));
    for (const word of words) step.effects[word[0]] = word.slice(1);
    step.closed = ['p', 't', 'b', 'c', 'w'].find((why) => why in step.effects) ?? null;
    return step;
  };

  replay.rounds = data.rounds.map((round, index) => {
    const steps = round.steps.map(parseStep);
    const hands = round.hands?.map(facesOf) ?? null;
    return { ...round, index, steps, hands, known: round.known ?? 0, frames: steps.length + 1 + (round.end ? 1 : 0) };
  });

  const starts = [0];
  for (const round of replay.rounds) starts.push(starts.at(-1) + round.frames);

  /** How many frames the whole match has. */
  replay.length = starts.at(-1);

  /** The position in the match of a frame of a round. */
  replay.position = (round, frame) => starts[round] + frame;

  /** The round and the frame in it of a position in the match. */
  replay.spot = (position) => {
    let round = 0;
    while (starts[round + 1] <= position) round += 1;
    return { round, frame: position - starts[round] };
  };

  /** The frames of a round in which a trick is led; without hands nobody knows where tricks begin. */
  replay.leads = (round) => {
    const leads = [];
    let lead = true;
    round.steps.slice(0, round.known).forEach((step, index) => {
      if (step.kind !== 'a') return;
      if (lead) leads.push(index + 1);
      lead = step.closed !== null;
    });
    return leads;
  };

  const startOf = (round) => ({
    hands: round.hands?.map((hand) => [...hand]) ?? null,
    pile: [],
    closed: null,
    passed: new Set(),
    skipped: null,
    out: new Map(),
    turned: false,
    turn: round.leader ?? null,
    trick: 1,
    clock: null,
    players: [...round.players],
    fresh: new Map(),
    step: null,
    fault: false, // the step could not be carried out
    noted: false, // something is wrong with the step
    end: null,
    moving: false,
  });

  /** Clears what the last step marked for its own frame only, and the pile of a trick that is over. */
  const beginStep = (state, step) => {
    state.fresh = new Map();
    state.step = step;
    if (step.kind !== 'a' || state.closed === null) return;
    Object.assign(state, { pile: [], passed: new Set(), skipped: null, closed: null, trick: state.trick + 1 });
  };

  const passTime = (state, step) => {
    if ('m' in step.effects) state.clock = (state.clock ?? 0) + Number(step.effects.m);
  };

  const takeFrom = (hand, cards) => {
    for (const card of cards) {
      const at = hand.indexOf(card);
      if (at >= 0) hand.splice(at, 1);
    }
  };

  // An event that could not happen changes nothing.
  const applyEvent = (state, step, findings) => {
    if (findings.some((one) => one.code === 'seat-event')) return;
    state.players[step.seat] = step.what === 'l' ? step.by.toUpperCase() : step.by;
  };

  const applyGift = (state, step) => {
    takeFrom(state.hands[step.seat], step.cards);
    state.hands[step.to] = [...state.hands[step.to], ...step.cards].sort((one, other) => one - other);
    state.fresh.set(step.to, step.cards);
  };

  const applyAction = (state, step) => {
    const { effects, seat } = step;
    state.moving = true;
    if (step.cards.length) {
      takeFrom(state.hands[seat], step.cards);
      state.pile.push(step);
      state.skipped = 's' in effects ? Number(effects.s) : null;
    } else state.passed.add(seat);
    if ('o' in effects) state.out.set(seat, Number(effects.o));
    if ('d' in effects) state.out.set(seat, 0);
    if ('r' in effects) state.turned = true;
    if ('u' in effects) state.turned = false;
    state.turn = effects.n === '-' ? null : Number(effects.n);
    state.closed = step.closed;
  };

  const APPLY = { a: applyAction, g: applyGift, e: applyEvent };

  /** Takes a step of which only the log's own words are known: no hands, no tricks, nobody on turn. */
  const tell = (state, step) => {
    if (step.kind === 'e') return;
    state.moving = state.moving || step.kind === 'a';
    Object.assign(state, { hands: null, turn: null, passed: new Set(), skipped: null, closed: null });
    state.pile = step.kind === 'a' && step.cards.length ? [step] : [];
  };

  const markFault = (state, step) => {
    state.fault = true;
    state.fresh.set(step.seat, step.cards);
  };

  /**
   * The table at a frame of a round: 0 is the deal, then one frame a step, last the round's end. A step that was found
   * at fault and after which the hands are not known is shown on the table as it was before.
   */
  replay.stateAt = (index, frame) => {
    const round = replay.rounds[index];
    const state = startOf(round);
    const upto = Math.min(frame, round.steps.length);
    for (let at = 0; at < upto; at += 1) {
      const step = round.steps[at];
      beginStep(state, step);
      passTime(state, step);
      if (step.kind === 'e') applyEvent(state, step, replay.findingsAt(index, at + 1));
      else if (at < round.known) APPLY[step.kind](state, step);
      else if (at === frame - 1 && at === round.known && state.hands) markFault(state, step);
      else tell(state, step);
    }
    if (frame > round.steps.length) Object.assign(state, { step: null, end: round.end, turn: null });
    if (round.steps.slice(upto).some((step) => step.kind === 'g')) state.turn = null; // nobody leads before the gifts
    state.noted = state.step !== null && replay.findingsAt(index, frame).length > 0;
    return state;
  };

  /** The findings that a frame of a round is about. */
  replay.findingsAt = (round, frame) => data.findings.filter((one) => one.round === round && one.frame === frame);
}
