// A whole match: a log by drag and drop or from the file dialogue, what was checked in it, and what it tells.

{
  const { el, byId, hex, facts } = page;
  const MAX_BYTES = 16 * 1024 * 1024;
  const REASONS = {
    'by-rule': 'by the rules',
    'not-sealed': 'void: a contribution was not sealed',
    'not-signed': 'void: the lock was not signed',
    'not-opened': 'void: a contribution was not opened',
    stopped: 'void: the match was stopped',
  };
  const JUDGED_BY_AUDIT = el(
    'p',
    {},
    'The rules of play are not judged here: exchange, plays, clock, places, titles and points ' +
      'are shown as the log tells them. For that there is ',
    el('code', {}, 'fairdeal audit'),
    ', which needs no network either.',
  );
  let latest = 0;

  /** The ticket and the values beside it that stand in the form, as far as they can be read: evidence for the log. */
  const heldAlready = async () => {
    const { ticket, commitment, contribution } = page.entered();
    const held = { tickets: [] };
    if (/^[0-9a-f]{64}$/.test(commitment)) held.commitment = commitment;
    const read = await fairdeal.decodeTicket(ticket).catch(() => null);
    if (read !== null) held.tickets = [ticket];
    if (read !== null && /^[0-9a-f]{64}$/.test(contribution)) held.contributions = { [read.seat]: contribution };
    return held;
  };

  const says = (report) => {
    const faults = page.counted(report.findings.length, 'finding');
    if (report.verdict === 'refuted') return `Something in this log does not fit: ${faults}.`;
    if (report.log === null) return 'This file cannot be read as a log. Nothing was checked.';
    if (report.verdict === 'no verdict')
      return 'This log cannot be read to its end. What stands before that was checked as far as it goes.';
    if (report.findings.length > 0) return `Nothing was refuted, but something is missing: ${faults}.`;
    return 'No fault was found in what this page can check. That is not all: the plays are not judged here.';
  };

  const heading = (report) => {
    if (report.verdict === 'incomplete' && report.findings.length === 0) return 'No fault found';
    return report.verdict[0].toUpperCase() + report.verdict.slice(1);
  };

  const brokenPart = ({ log }) =>
    log?.broken &&
    el(
      'p',
      {},
      page.sign('failed'),
      ' Reading ended at byte ',
      String(log.broken.place).replace(/^byte /, ''),
      ': ',
      el('bdi', {}, log.broken.why),
      '.',
    );

  const forRound = (round) => (round === null ? '' : ` for round ${round}`);

  const ticketPart = ({ log, tickets, foreign }) => [
    log && tickets.length === 0 && !foreign && el('p', {}, 'A ticket entered above is held against the log too.'),
    foreign && el('p', {}, page.sign(''), ' The ticket above is of another match and was left out.'),
    tickets.map(({ round, seat, state }) =>
      el(
        'p',
        {},
        page.sign(state),
        ` The ticket above, of seat ${seat}${forRound(round)}, was held against this log: ${state}.`,
      ),
    ),
  ];

  const showVerdict = (report, name) =>
    page.announce(
      byId('log-verdict'),
      report.verdict,
      heading(report),
      says(report),
      brokenPart(report),
      page.findings(report.findings),
      ticketPart(report),
      report.log && [el('h4', {}, 'What was checked'), page.checks(report.checks), JUDGED_BY_AUDIT],
      facts(['File', el('bdi', {}, name)], report.digest && ['SHA-256 of the file', hex(report.digest)]),
    );

  const rulesPart = ({ terms }) => [
    'Played by ',
    el('bdi', {}, terms.rules.name),
    `, ${terms.seats.length} seats, at most ${page.counted(terms.rounds, 'round')}.`,
  ];

  const matchFacts = (report) => {
    const { terms, termsHash } = report.log;
    const close = report.close;
    return facts(
      ['Match', hex(fairdeal.toHex(terms.matchId)), `, number ${terms.sequence} of its operator`],
      ['Rules', ...rulesPart(report.log)],
      [
        'Contributions',
        terms.contributions === 'sealed' ? 'sealed, one from every person' : 'none: the operator alone chose the seeds',
      ],
      ['Terms', hex(typeof termsHash === 'string' ? termsHash : fairdeal.toHex(termsHash))],
      ['Commitment', report.commitment ? hex(report.commitment) : 'none'],
      ['Closed', ...(close ? closedBy(terms, close) : ['not in this log'])],
    );
  };

  const closedBy = (terms, close) => [
    REASONS[close.reason],
    ...(close.seat === null ? [] : [', ', page.who(terms, close.seat)]),
  ];

  const KINDS = { human: 'person', bot: 'bot' };

  const seatTable = (terms, close) => {
    const seats = terms.seats.map((_, seat) => seat);
    const placed = close && close.places.length > 0;
    if (placed) seats.sort((left, right) => close.places[left] - close.places[right]);
    const rows = seats.map((seat) => [
      placed ? String(close.places[seat]) : '\u2013',
      page.who(terms, seat),
      KINDS[terms.seats[seat].kind] ?? `bot, ${terms.seats[seat].kind}`,
      close ? String(close.totals[seat]) : '\u2013',
    ]);
    return page.table('Seats and result as the log tells it', ['Place', 'Player', 'Played by', 'Points'], rows);
  };

  const showMatch = (report) => {
    if (report.log === null) return page.fill(byId('log'));
    const { terms } = report.log;
    return page.fill(
      byId('log'),
      el('h3', {}, 'The match, as the log tells it'),
      matchFacts(report),
      seatTable(terms, report.close),
      el('h3', {}, 'Rounds'),
      report.rounds.length === 0 && el('p', { class: 'quiet' }, 'No round was dealt.'),
      page.rounds(report),
    );
  };

  const refuse = (name, why) => {
    page.fill(byId('log'));
    page.announce(byId('log-verdict'), 'no verdict', 'No verdict', why, facts(['File', el('bdi', {}, name)]));
  };

  /** The report on a log with what stands in the form, unless that is of another match, which says nothing here. */
  const checked = async (bytes) => {
    const report = await fairdeal.checkLog(bytes, await heldAlready());
    if (!report.findings.some(({ code }) => code === 'ticket-terms')) return report;
    return { ...(await fairdeal.checkLog(bytes)), foreign: true };
  };

  /** Checks a file that holds a log and shows what it tells. */
  page.openLog = async (file) => {
    const mine = ++latest;
    if (file.size > MAX_BYTES) {
      refuse(file.name, 'This file is larger than any log (16 MiB).');
      return;
    }
    page.fill(byId('log'));
    page.fill(byId('log-verdict'), el('p', { class: 'panel' }, 'Checking \u2026'));
    let bytes;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      refuse(file.name, 'The browser cannot read this file. Is it a folder?');
      return;
    }
    await page.guarded(byId('log-verdict'), async () => {
      const report = await checked(bytes);
      if (mine !== latest) return;
      showMatch(report);
      showVerdict(report, file.name);
    });
  };

  const openFirst = (files) => files.length > 0 && page.openLog(files[0]);

  const startDrop = () => {
    let depth = 0;
    const show = (change) => {
      depth = Math.max(0, depth + change);
      byId('drop').classList.toggle('over', depth > 0);
    };
    // A text that is dragged belongs to the field it is dropped on.
    const onFiles = (type, act) =>
      addEventListener(type, (event) => event.dataTransfer?.types.includes('Files') && act(event));
    onFiles('dragenter', () => show(1));
    onFiles('dragleave', () => show(-1));
    // Without this the browser would leave the page and open the file.
    onFiles('dragover', (event) => event.preventDefault());
    onFiles('drop', (event) => {
      event.preventDefault();
      show(-depth);
      openFirst(event.dataTransfer.files);
    });
  };

  page.startLog = () => {
    const input = byId('file');
    byId('open').addEventListener('click', () => input.click());
    input.addEventListener('change', () => {
      openFirst([...input.files]);
      // So that the same file, changed meanwhile, can be chosen again.
      input.value = '';
    });
    startDrop();
  };
}
