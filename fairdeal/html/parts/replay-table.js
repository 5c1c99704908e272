// The table seen from above: seats around it with their hands face up, and in its middle what happens.

{
  const { element, match } = replay;
  // Where seats stand on a ring of eight places, clockwise from the bottom, for each number of seats.
  const PLACES = {
    3: ['bm', 'tl', 'tr'],
    4: ['bm', 'ml', 'tm', 'mr'],
    5: ['bm', 'ml', 'tl', 'tr', 'mr'],
    6: ['bm', 'bl', 'tl', 'tm', 'tr', 'br'],
    7: ['bl', 'ml', 'tl', 'tm', 'tr', 'mr', 'br'],
    8: ['bm', 'bl', 'ml', 'tl', 'tm', 'tr', 'mr', 'br'],
  };
  const MOST_BEFORE = 4; // plays of the pile that are shown under the last one

  const badge = (words, kind) => element('span', { class: `badge ${kind}` }, words);

  const badgesOf = (state, seat) => {
    if (state.end) return [badge(`${replay.ordinal(state.end.places[seat])} place`, 'out')];
    const badges = [];
    const place = state.out.get(seat);
    if (state.turn === seat && state.closed === null) badges.push(badge('\u25b6 on turn', 'on'));
    if (state.turn === seat && state.closed !== null) badges.push(badge('\u25b6 leads next', 'on'));
    if (place !== undefined) badges.push(badge(place ? `out, ${replay.ordinal(place)}` : 'out, to the end', 'out'));
    else if (state.passed.has(seat)) badges.push(badge(match.locks ? 'passed, sits out' : 'passed', 'passed'));
    if (state.skipped === seat) badges.push(badge('skipped', 'passed'));
    return badges;
  };

  const rolesOf = (round, state, seat) => {
    const before = replay.rounds[round.index - 1]?.end;
    const title = state.end ? state.end.titles[seat] : before?.titles[seat];
    const player = replay.playerWords(state.players[seat]);
    const size = state.hands && `${state.hands[seat].length} card${state.hands[seat].length === 1 ? "" : "s"}`;
    const parts = [title === undefined ? null : replay.titleOf(title), player, size].filter(Boolean);
    return parts.flatMap((part, index) => (index ? [' \u00b7 ', part] : [part]));
  };

  const handOf = (state, seat) => {
    if (!state.hands) return element('p', { class: 'hand quiet' }, 'hand not known');
    const marked = state.fresh.get(seat) ?? [];
    const hand = replay.cards(state.hands[seat], marked, state.fault ? 'wrong' : 'new');
    hand.classList.add('hand');
    return hand;
  };

  const seatPanel = (round, state, seat, place) => {
    const number = element('span', { class: 'number' }, ` seat ${seat}`);
    const name = element('p', { class: 'who' }, replay.nameOf(seat), number);
    const on = state.turn === seat ? 'on' : '';
    const done = state.out.has(seat) ? 'gone' : '';
    return element(
      'div',
      { class: `seat at-${place} ${on} ${done}`, role: 'group', 'aria-label': `seat ${seat}` },
      name,
      element('p', { class: 'roles' }, rolesOf(round, state, seat)),
      element('p', { class: 'badges' }, badgesOf(state, seat)),
      handOf(state, seat),
    );
  };

  const dealt = (round, state) => [
    element('p', { class: 'big' }, `Round ${round.number} is dealt`),
    element('p', {}, 'first card to ', replay.nameOf(round.first)),
    state.hands ? null : element('p', {}, 'the hands cannot be worked out from this log'),
  ];

  const given = (state) => {
    const { step } = state;
    const cards = replay.cards(step.cards, state.noted ? step.cards : [], 'wrong');
    return [element('p', { class: 'big' }, replay.nameOf(step.seat), ' \u2192 ', replay.nameOf(step.to)), cards];
  };

  const earlier = (pile) => {
    const hidden = pile.length - 1 - MOST_BEFORE;
    const shown = pile.slice(Math.max(hidden, 0), -1);
    if (!shown.length) return null;
    const lines = shown.map((step) => element('li', {}, replay.cards(step.cards), ' ', replay.nameOf(step.seat)));
    const more = hidden > 0 ? element('li', {}, `${hidden} earlier`) : null;
    return element('ol', { class: 'earlier', 'aria-label': 'plays below, oldest first' }, more, lines);
  };

  /** The pile: what lies on top and by whom, and what lies below. */
  const piled = (state) => {
    const { step } = state;
    const wrong = state.noted && step.kind === 'a';
    const top = state.pile.at(-1);
    const attempt = wrong && step !== top ? step : null;
    const shown = [];
    if (top) {
      const straight = 'x' in top.effects ? `straight up to ${top.effects.x}, ` : '';
      const by = element('p', {}, straight, 'by ', replay.nameOf(top.seat));
      const cards = replay.cards(top.cards, wrong && step === top ? top.cards : [], 'wrong');
      shown.push(earlier(state.pile), element('div', { class: state.closed ? 'top closed' : 'top' }, cards), by);
    } else if (!attempt && state.hands && state.turn !== null) {
      shown.push(element('p', {}, replay.nameOf(state.turn), ' to lead'));
    }
    if (attempt) {
      const what = attempt.cards.length ? replay.cards(attempt.cards, attempt.cards, 'wrong') : ' passes';
      shown.push(element('p', { class: 'attempt' }, '\u2717 ', replay.nameOf(attempt.seat), ' ', what));
    }
    return shown;
  };

  const ended = (round) => {
    const { end } = round;
    const order = end.places.map((_, seat) => seat).sort((one, other) => end.places[one] - end.places[other]);
    const line = (seat) =>
      element(
        'tr',
        {},
        element('td', { class: 'number' }, `${end.places[seat]}.`),
        element('td', {}, replay.nameOf(seat)),
        element('td', {}, replay.titleOf(end.titles[seat])),
        match.points && element('td', { class: 'number' }, `${end.points[seat] > 0 ? "+" : ""}${end.points[seat]}`),
        match.points && element('td', { class: 'number' }, end.totals[seat]),
      );
    const table = element('table', { class: 'ended' }, element('tbody', {}, order.map(line)));
    return [element('p', { class: 'big' }, `Round ${round.number} ends`), table];
  };

  const news = (state) => {
    if (!state.step) return null;
    const lines = replay.effectWords(state.step).map((words) => element('li', {}, words));
    if ('k' in state.step.effects) lines.push(element('li', {}, 'the clock acted'));
    if (state.step.kind === 'e') lines.unshift(element('li', {}, replay.stepWords(state.step)));
    return lines.length ? element('ul', { class: 'news' }, lines) : null;
  };

  const signs = (round, state) => {
    const shown = [];
    if (state.hands && state.moving && !state.end) shown.push(badge(`trick ${state.trick}`, ''));
    if (state.turned) shown.push(badge('\u21c5 order turned over', 'on'));
    if (state.clock !== null) shown.push(badge(`${replay.seconds(state.clock)} since the deal`, ''));
    return element('p', { class: 'badges' }, shown);
  };

  const middle = (round, frame, state) => {
    if (frame === 0) return dealt(round, state);
    if (state.end) return ended(round);
    return state.step?.kind === 'g' ? given(state) : piled(state);
  };

  /** The whole table at a frame. */
  replay.table = (round, frame, state) => {
    const places = PLACES[round.ring.length];
    const seats = round.ring.map((seat, at) => seatPanel(round, state, seat, places[at]));
    const centre = element('div', { class: 'middle' }, signs(round, state), middle(round, frame, state), news(state));
    return element('div', { class: `felt seats${seats.length}` }, centre, seats);
  };
}
