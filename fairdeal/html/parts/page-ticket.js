// One hand: the form, what is wrong with what was entered, the verdict, and the link that carries it all.

{
  const { el, byId } = page;
  const FIELDS = ['ticket', 'seed', 'cards', 'commitment', 'contribution'];
  const NAMES = {
    ticket: 'Ticket',
    seed: 'Seed',
    cards: 'Your cards',
    commitment: 'Published commitment',
    contribution: 'Your own contribution',
  };
  const HEX_DIGITS = 64;
  const TICKET_START = 'fd1.';
  const MAX_TICKET = 1000;
  const ADVICE = 'copy the whole ticket, from fd1. to its last character';
  // A check that was overtaken by a newer one shows nothing.
  let latest = 0;
  let latestNote = 0;

  /** What was entered, without the blanks and line ends that copying adds where no blank belongs. */
  page.entered = () => {
    const bare = (id) => byId(id).value.replace(/\s+/g, '');
    const hex = (id) => bare(id).toLowerCase();
    return {
      ticket: bare('ticket'),
      seed: hex('seed'),
      cards: byId('cards').value.trim(),
      commitment: hex('commitment'),
      contribution: hex('contribution'),
    };
  };

  const hexFault = (text) => {
    if (text === '') return '';
    const at = text.search(/[^0-9a-f]/);
    if (at >= 0)
      return `character ${at + 1} is ${quoted([...text.slice(at)][0])}; only 0 to 9 and a to f can stand here`;
    return text.length === HEX_DIGITS ? '' : `${page.counted(text.length, 'character')}, where ${HEX_DIGITS} belong`;
  };

  const quoted = (text) => `\u201c${text}\u201d`;

  const ticketFault = async (text) => {
    if (text === '') return 'there is no ticket yet';
    if (!text.startsWith(TICKET_START)) return `a ticket begins with ${TICKET_START}; ${ADVICE}`;
    const tickets = text.split(TICKET_START).length - 1;
    if (tickets > 1) return `these are ${tickets} tickets; give one of them`;
    if (text.length > MAX_TICKET) return `${text.length} characters, and no ticket has more than ${MAX_TICKET}`;
    const at = text.slice(TICKET_START.length).search(/[^A-Za-z0-9_-]/);
    if (at >= 0) {
      const odd = [...text.slice(TICKET_START.length + at)][0];
      return `character ${TICKET_START.length + at + 1} is ${quoted(odd)}, which no ticket has; ${ADVICE}`;
    }
    return fairdeal.decodeTicket(text).then(
      () => '',
      (error) => `${error.message}; ${ADVICE}`,
    );
  };

  const cardsFault = (text) => {
    try {
      fairdeal.parseCards(text);
      return '';
    } catch (error) {
      return error.message;
    }
  };

  /** What is wrong with each field, '' for nothing. */
  const faults = async (values) => ({
    ticket: await ticketFault(values.ticket),
    seed: hexFault(values.seed),
    cards: cardsFault(values.cards),
    commitment: hexFault(values.commitment),
    contribution: hexFault(values.contribution),
  });

  const note = (id, text, bad) => {
    const place = byId(`${id}-note`);
    place.className = bad ? 'note bad' : 'note quiet';
    page.fill(place, bad && [page.sign('failed'), ' '], el('bdi', {}, text));
    if (bad) byId(id).setAttribute('aria-invalid', 'true');
    else byId(id).removeAttribute('aria-invalid');
  };

  const describe = (ticket) => {
    const deck = `${page.counted(ticket.packs, 'pack')}${ticket.jokers ? `, ${ticket.jokers} jokers each` : ''}`;
    const seats = `seat ${ticket.seat} of ${ticket.contributions.length} (counted from 0)`;
    return `Round ${ticket.round} of ${ticket.rounds}, ${seats}, ${deck}.`;
  };

  const describeCards = (text, ticket) => {
    const faces = fairdeal.parseCards(text);
    const packs = ticket?.packs ?? 2;
    const twice = faces.find((face) => faces.filter((one) => one === face).length > packs);
    const more = twice === undefined ? '' : ` More of the ${page.cardWords(twice)} than the deck has.`;
    return faces.length === 0 ? '' : `${page.counted(faces.length, 'card')}.${more}`;
  };

  /** Says below each field what was understood, while it is being filled in; faults wait for the check. */
  const showNotes = async () => {
    const mine = ++latestNote;
    const values = page.entered();
    const wrong = await faults(values);
    const ticket = wrong.ticket === '' ? await fairdeal.decodeTicket(values.ticket) : null;
    if (mine !== latestNote) return;
    for (const id of FIELDS) note(id, '', false);
    if (ticket !== null) note('ticket', describe(ticket), false);
    if (wrong.cards === '') note('cards', describeCards(values.cards, ticket), false);
    page.showPicked(ticket?.packs ?? 1);
  };

  const showFaults = (wrong) => {
    const bad = FIELDS.filter((id) => wrong[id] !== '');
    for (const id of FIELDS) if (wrong[id] !== '') note(id, wrong[id], true);
    if (bad.some((id) => id === 'commitment' || id === 'contribution')) byId('more').open = true;
    const items = bad.map((id) =>
      el(
        'li',
        {},
        page.button(NAMES[id], () => byId(id).focus(), { class: 'tofield' }),
        ' ',
        el('bdi', {}, wrong[id]),
      ),
    );
    page.fill(byId('steps'));
    page.announce(
      byId('verdict'),
      'no verdict',
      'No verdict',
      'Something that was entered cannot be read, so nothing was checked.',
      el('ul', { class: 'plain' }, items),
    );
  };

  const SAYS = {
    'ticket-fingerprint': 'This is not the seed that the ticket fixed. Is it the seed of the same round?',
    'cards-other': 'These are not the cards that ticket and seed lead to.',
    'commitment-other': 'The ticket belongs to another commitment than the one you gave.',
    'contribution-other': 'The ticket has another contribution for your seat than the one you gave.',
  };

  const says = (report, values) => {
    if (report.verdict === 'verified') return 'These are the cards that were fixed before the round.';
    if (report.verdict === 'refuted')
      return report.findings
        .map(({ code }) => SAYS[code])
        .filter(Boolean)
        .join(' ');
    if (values.seed === '') return 'The ticket can be read. After the round, with the seed, it tells your hand.';
    return 'This is the hand that was fixed. It was not compared with the cards you were dealt.';
  };

  /** The hand that follows; where other cards were given, also which are missing and which are too many. */
  const handPart = (report, values) => {
    if (report.hand === null) return null;
    const given = fairdeal.parseCards(values.cards).sort((left, right) => left - right);
    const { round, rounds, seat } = report.ticket;
    const parts = [
      el('h4', {}, `Dealt in round ${round} of ${rounds} to seat ${seat}`),
      page.cards(report.hand, 'The hand'),
    ];
    const lacking = page.without(report.hand, given);
    const added = page.without(given, report.hand);
    if (given.length > 0 && lacking.length + added.length > 0) {
      parts.push(
        page.facts(
          ['In the hand, not among yours', lacking.length > 0 ? page.cards(lacking) : 'none'],
          ['Among yours, not in the hand', added.length > 0 ? page.cards(added) : 'none'],
        ),
      );
    }
    return el('div', { class: 'hand' }, ...parts);
  };

  const commitmentPart = (report, values) => [
    el('h4', {}, 'Commitment'),
    el('p', {}, page.hex(report.commitment)),
    values.commitment === '' && el('p', {}, 'Compare it with the one that was published before the match.'),
  ];

  const printed = (values) =>
    el(
      'div',
      { class: 'printonly' },
      page.facts(
        ...FIELDS.filter((id) => values[id] !== '').map((id) => [NAMES[id], el('bdi', { class: 'long' }, values[id])]),
      ),
    );

  const link = (values) => {
    const given = FIELDS.filter((id) => values[id] !== '').map((id) => `${id}=${encodeURIComponent(values[id])}`);
    return `${location.href.replace(/#.*/, '')}#${given.join('&')}`;
  };

  const showReport = (report, values) => {
    page.announce(
      byId('verdict'),
      report.verdict,
      report.verdict[0].toUpperCase() + report.verdict.slice(1),
      says(report, values),
      handPart(report, values),
      commitmentPart(report, values),
      report.verdict === 'refuted' && [el('h4', {}, 'What was found'), page.findings(report.findings)],
      el('h4', {}, 'What was checked'),
      page.checks(report.checks),
      el('h4', {}, 'Not checked here'),
      el(
        'ul',
        {},
        report.open.map((text) => el('li', {}, text)),
      ),
      printed(values),
      el(
        'div',
        { class: 'row noprint' },
        page.copyButton(location.protocol === 'file:' ? 'Copy a link for this device' : 'Copy a link', () =>
          link(values),
        ),
        page.button('Print', () => print()),
      ),
    );
  };

  /** Checks what was entered and shows the verdict. */
  page.check = async () => {
    const mine = ++latest;
    const values = page.entered();
    await showNotes();
    const wrong = await faults(values);
    if (mine !== latest) return;
    if (Object.values(wrong).some((text) => text !== '')) {
      showFaults(wrong);
      return;
    }
    await page.guarded(byId('verdict'), async () => {
      const report = await fairdeal.verifyTicket(values.ticket, values.seed, values);
      const steps = await page.steps(report, values.seed);
      if (mine !== latest) return;
      page.fill(byId('steps'), steps);
      showReport(report, values);
    });
  };

  /** Fills in what a fragment carries; false, with nothing done, where it is not about a ticket. */
  const takeFragment = (fragment) => {
    const carried = new URLSearchParams(fragment);
    if (!carried.has('ticket')) return false;
    for (const id of FIELDS) byId(id).value = carried.get(id) ?? '';
    byId('more').open = carried.has('commitment') || carried.has('contribution');
    return true;
  };

  /** Checks what the fragment of the address carries. */
  page.readFragment = async () => {
    if (takeFragment(location.hash.slice(1))) await page.check();
  };

  /** Whoever was sent a link may paste it where the ticket goes. */
  const takeLink = () =>
    takeFragment(
      byId('ticket')
        .value.trim()
        .replace(/^[^#]*#?/, ''),
    );

  /** A verdict must not stand beside other values than those it was given on. */
  const changed = () => {
    latest += 1;
    page.fill(byId('verdict'));
    page.fill(byId('steps'));
    showNotes();
  };

  page.startForm = () => {
    byId('form').addEventListener('submit', (event) => {
      event.preventDefault();
      page.check();
    });
    byId('form').addEventListener('reset', () => {
      latest += 1;
      page.fill(byId('verdict'));
      page.fill(byId('steps'));
      // The fields are empty only when this event has been dealt with.
      setTimeout(showNotes);
      byId('ticket').focus();
    });
    byId('ticket').addEventListener('input', takeLink);
    for (const id of FIELDS) byId(id).addEventListener('input', changed);
    addEventListener('hashchange', page.readFragment);
  };
}
