// How the hand follows from ticket and seed, one step after the other, with every value on the way.

{
  const { el, hex, cards, table, folded } = page;
  const SHOWN_STREAM = 192;

  const step = (title, says, ...content) => el('li', {}, el('h4', {}, title), el('p', {}, says), ...content);

  const bytes = (value) => fairdeal.toHex(value);

  const compared = (state) =>
    el('span', { class: page.tone(state) }, page.sign(state), state === 'passed' ? ' equal' : ' different');

  const fingerprintStep = (ticket, recomputed) =>
    step(
      'Fingerprint',
      'The hash of the terms, the round and the seed. It must be the one that the ticket holds.',
      page.facts(
        ['From the seed', hex(recomputed)],
        ['In the ticket', hex(bytes(ticket.fingerprint))],
        ['Compared', compared(recomputed === bytes(ticket.fingerprint) ? 'passed' : 'failed')],
      ),
    );

  const pathStep = (ticket, leads) => {
    const rows = leads.nodes.map(({ left, right, hash }, level) => [
      String(level + 1),
      hex(bytes(left)),
      hex(bytes(right)),
      hex(bytes(hash)),
    ]);
    return step(
      'Path to the commitment',
      `The fingerprint is one of ${ticket.rounds}. Hashed together in pairs they lead to one root, and that to the ` +
        'commitment. The ticket brings the neighbours that are needed.',
      page.facts(['Leaf', hex(bytes(leads.leaf))]),
      rows.length > 0 && table('Path to the root', ['Level', 'Left', 'Right', 'Hash of both'], rows),
      page.facts(['Root', hex(bytes(leads.root))], ['Commitment', hex(bytes(leads.commitment))]),
    );
  };

  const transcriptStep = (ticket, leads) =>
    step(
      'Contributions and transcript',
      'What the players mixed in, hashed with terms and commitment. The shuffle depends on this too.',
      page.facts(
        ...ticket.contributions.map((value, seat) => [
          `Seat ${seat}`,
          value.length > 0 ? hex(bytes(value)) : 'nothing',
        ]),
        ['Transcript', hex(bytes(leads.transcript))],
      ),
    );

  const streamStep = (shuffle) => {
    const used = 2 * shuffle.used;
    const shown = Math.max(used, 2 * SHOWN_STREAM);
    return step(
      'Deck stream',
      `Bytes derived from seed and transcript. The shuffle took the first ${shuffle.used}, marked here; of the rest ` +
        `${shown / 2 - shuffle.used} are shown.`,
      el(
        'p',
        {},
        el('code', { class: 'hex' }, el('mark', {}, shuffle.stream.slice(0, used)), shuffle.stream.slice(used, shown)),
      ),
    );
  };

  const binary = (value, width) => value.toString(2).padStart(width, '0');

  const drawStep = (shuffle) => {
    const rows = shuffle.draws.map(({ i, mask, byte, j, accepted }) => [
      String(i),
      byte.toString(16).padStart(2, '0'),
      binary(mask, 8),
      String(j),
      accepted ? [page.sign('passed'), ` swap ${i} and ${j}`] : [page.sign(''), ` rejected, above ${i}`],
    ]);
    const rejected = shuffle.draws.filter(({ accepted }) => !accepted).length;
    return step(
      'Shuffle',
      `The new deck lies in order. From the last card down, each is swapped with one at or below it. The mask ` +
        `keeps as many bits of the next byte as are needed; a value too high is rejected, so that all are equally ` +
        `likely. ${page.counted(shuffle.draws.length, 'draw')}, ${rejected} rejected.`,
      folded('Every draw', () => table('Every draw', ['Index i', 'Byte', 'Mask', 'Value j', 'Outcome'], rows)),
      el('p', {}, 'Order after the shuffle:'),
      cards(shuffle.order, 'Order after the shuffle'),
    );
  };

  const dealStep = (ticket, shuffle) =>
    step(
      'Deal',
      `One card at a time to ${ticket.contributions.length} positions. The ticket says that seat ${ticket.seat} has ` +
        `position ${ticket.position}.`,
      el(
        'ul',
        { class: 'hands' },
        shuffle.hands.map((hand, position) =>
          el(
            'li',
            { class: position === ticket.position ? 'own' : null },
            el(
              'span',
              { class: 'holder' },
              `Position ${position}${position === ticket.position ? ', this ticket' : ''}`,
            ),
            cards(
              [...hand].sort((left, right) => left - right),
              `Hand of position ${position}`,
            ),
          ),
        ),
      ),
    );

  /** The panel of steps; `report` is of a ticket that could be read, with a seed or without. */
  page.steps = async (report, seedHex) => {
    const { ticket, shuffle } = report;
    const leads = await fairdeal.ticketLeadsTo(ticket);
    const seed = seedHex && fairdeal.fromHex(seedHex);
    const mark = seed && bytes(await fairdeal.fingerprint(ticket.termsHash, ticket.round, seed));
    return folded(
      'Step by step',
      () => [
        el(
          'p',
          {},
          'All values in hexadecimal. The encoding of each hash is in the specification of protocol ',
          el('code', {}, 'fairdeal/v1'),
          '.',
        ),
        el(
          'ol',
          { class: 'steps' },
          mark && fingerprintStep(ticket, mark),
          pathStep(ticket, leads),
          transcriptStep(ticket, leads),
          shuffle && streamStep(shuffle),
          shuffle && drawStep(shuffle),
          shuffle && dealStep(ticket, shuffle),
        ),
        !shuffle &&
          el(
            'p',
            { class: 'quiet' },
            seedHex
              ? 'A seed that is not the ticket’s leads to no hand.'
              : 'The shuffle follows when the seed is given.',
          ),
      ],
      { class: 'panel' },
    );
  };
}
