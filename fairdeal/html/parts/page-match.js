// The rounds of a log: hands, exchange, actions one by one, and the end as the log tells it. Cards leave the hands as
// they are played; whether they might be played is not judged here.

{
  const { el, cards, hex, facts, folded } = page;

  /** A player by name and seat. A name may say anything, so the number always stands beside it. */
  page.who = (terms, seat) =>
    el(
      'span',
      { class: 'who' },
      el('bdi', { class: 'name' }, terms.seats[seat]?.name ?? '?'),
      el('span', { class: 'quiet' }, ` seat ${seat}`),
    );

  const EVENTS = { disconnected: 'loses the connection', returned: 'is back', left: 'leaves for good' };

  const bySeat = (terms) => terms.seats.map((_, seat) => seat);

  const clocked = (record) =>
    [
      record.actedFor !== null && record.actedFor !== undefined ? 'the clock acted' : '',
      record.tenths !== null && record.tenths !== undefined ? `after ${(record.tenths / 10).toFixed(1)} s` : '',
    ]
      .filter(Boolean)
      .join(', ');

  const timing = (record) => {
    const text = clocked(record);
    return text !== '' && el('span', { class: 'quiet' }, ` (${text})`);
  };

  const told = (terms, record) => {
    const who = (seat) => page.who(terms, seat);
    switch (record.type) {
      case 'exchange':
        return [who(record.giver), ' gives ', who(record.receiver), ' ', cards(record.cards), timing(record)];
      case 'pass':
        return [who(record.seat), ' passes', timing(record)];
      case 'seat-event':
        return [who(record.seat), ` ${EVENTS[record.presence]}; now played by ${player(record.level)}`, timing(record)];
      default:
        return [
          who(record.seat),
          record.type === 'straight' ? ' plays the straight ' : ' plays ',
          cards(record.cards),
          timing(record),
        ];
    }
  };

  const player = (level) => (level === 'human' ? 'the player' : level === 'bot' ? 'a bot' : `a bot (${level})`);

  /** Everything that happened in a round, in its order: seat events stand among gifts and actions. */
  const happenings = (round) => {
    const moves = [...round.gifts, ...round.actions];
    const all = [];
    for (let count = 0; count <= moves.length; count += 1) {
      all.push(...round.events.filter(({ after }) => after === count).map(({ record }) => record));
      if (count < moves.length) all.push(moves[count]);
    }
    return all;
  };

  const isPlay = (record) => record.type !== 'exchange' && record.cards !== undefined;

  /** Hands after the first `count` happenings, the last play, and cards that were in no such hand. */
  const stateAfter = (round, all, count) => {
    const hands = round.hands.map((hand) => [...hand]);
    let pile = null;
    let absent = [];
    for (const record of all.slice(0, count)) {
      absent = [];
      if (record.cards === undefined) continue;
      const from = record.type === 'exchange' ? record.giver : record.seat;
      absent = page.without(record.cards, hands[from]);
      hands[from] = page.without(hands[from], record.cards);
      if (record.type === 'exchange')
        hands[record.receiver] = [...hands[record.receiver], ...record.cards].sort((a, b) => a - b);
      if (isPlay(record)) pile = record;
    }
    return { hands, pile, absent };
  };

  const handRows = (terms, hands, acting = null) =>
    el(
      'ul',
      { class: 'hands' },
      hands.map((hand, seat) =>
        el(
          'li',
          { class: seat === acting ? 'own' : null },
          el(
            'span',
            { class: 'holder' },
            page.who(terms, seat),
            ` \u2013 ${hand.length === 0 ? 'no cards left' : page.counted(hand.length, 'card')}`,
          ),
          cards(hand, `Hand of seat ${seat}`),
        ),
      ),
    );

  const showStep = (terms, round, all, count, table) => {
    const { hands, pile, absent } = stateAfter(round, all, count);
    const record = all[count - 1];
    const acting = record && (record.giver ?? record.seat);
    page.fill(
      table.said,
      el('span', { class: 'quiet' }, `${count} of ${all.length}: `),
      record ? told(terms, record) : 'The cards are dealt',
    );
    page.fill(
      table.state,
      absent.length > 0 && el('p', { class: 'bad' }, page.sign('failed'), ' Not in this hand: ', cards(absent)),
      el(
        'p',
        { class: 'pile' },
        'Last play: ',
        ...(pile ? [cards(pile.cards), ' by ', page.who(terms, pile.seat)] : ['none yet']),
      ),
      handRows(terms, hands, acting),
    );
  };

  /** The table of a round with buttons and a slider to go through it. */
  const stepper = (terms, round) => {
    const all = happenings(round);
    const label = `Step through round ${round.number}`;
    const slider = el('input', { type: 'range', min: '0', max: String(all.length), value: '0', 'aria-label': label });
    const table = { said: el('p', { class: 'said', 'aria-live': 'polite' }), state: el('div') };
    const moves = [
      ['First', () => 0],
      ['Back', (at) => at - 1],
      ['Next', (at) => at + 1],
      ['Last', () => all.length],
    ].map(([text, to]) => [page.button(text, () => go(to(Number(slider.value)))), to]);
    const go = (to) => {
      slider.value = String(Math.min(Math.max(to, 0), all.length));
      const at = Number(slider.value);
      slider.setAttribute('aria-valuetext', `${at} of ${all.length}`);
      showStep(terms, round, all, at, table);
    };
    slider.addEventListener('input', () => go(Number(slider.value)));
    go(0);
    const row = el(
      'div',
      { class: 'row noprint' },
      moves.map(([button]) => button),
    );
    return el('div', { class: 'stepper' }, row, slider, table.said, table.state);
  };

  const endTable = (terms, end) => {
    const rank = (seat) => end.places[seat];
    const rows = bySeat(terms)
      .sort((left, right) => rank(left) - rank(right))
      .map((seat) => [
        String(end.places[seat]),
        page.who(terms, seat),
        el('bdi', {}, terms.rules.titles[end.titles[seat]] ?? '?'),
        String(end.points[seat]),
      ]);
    return page.table('End of the round as the log tells it', ['Place', 'Player', 'Title', 'Points'], rows);
  };

  const listed = (terms, records) =>
    el(
      'ol',
      { class: 'told' },
      records.map((record) => el('li', {}, told(terms, record))),
    );

  const roundParts = (terms, round) => [
    facts(
      ['First card to', page.who(terms, round.first)],
      round.seating && ['Around the table', round.seating.map((seat, at) => [at > 0 && ', ', page.who(terms, seat)])],
      ['Seed', round.seed ? hex(round.seed) : 'not revealed in this log'],
    ),
    el('h4', {}, 'Hands as dealt'),
    round.hands
      ? handRows(terms, round.hands)
      : el('p', { class: 'quiet' }, 'They cannot be recomputed from this log.'),
    round.gifts.length > 0 && [el('h4', {}, 'Exchange'), listed(terms, round.gifts)],
    el('h4', {}, 'Play'),
    round.hands && [
      el(
        'p',
        { class: 'quiet' },
        'Step through it. No rule is judged here; ',
        el('code', {}, 'fairdeal audit'),
        ' does that.',
      ),
      stepper(terms, round),
    ],
    folded('Everything in one list', () => listed(terms, happenings(round))),
    el('h4', {}, 'End'),
    round.end ? endTable(terms, round.end) : el('p', { class: 'quiet' }, 'The log has no end of this round.'),
  ];

  const atFault = ({ index }, findings) => findings.some(({ place }) => place.startsWith(`round[${index}]`));

  const roundSummary = (terms, round, findings) => {
    const winner = round.end ? round.end.places.indexOf(1) : -1;
    return el(
      'span',
      {},
      `Round ${round.number}: `,
      winner >= 0 ? ['first ', page.who(terms, winner)] : 'no end',
      atFault(round, findings) && el('span', { class: 'bad' }, ', ', page.sign('failed'), ' see above'),
    );
  };

  /** One closed part a round; what it holds is made when it is opened. */
  page.rounds = ({ log, rounds, findings }) =>
    rounds.map((round) =>
      folded(roundSummary(log.terms, round, findings), () => roundParts(log.terms, round), { class: 'panel round' }),
    );
}
