// SPEC "Ticket" and "Verifying a ticket".
{
  const { FACES, MAX_ROUNDS, Malformed, Refusal, ascending, cardsText, commitment, concat, cryptoMissing } = fairdeal;
  const { equal, fingerprint, fromBase64, fromHex, hash, leafHash, must, nodesFromPath, pack, parseCards } = fairdeal;
  const { pathSides, shuffleSteps, toBase64, toHex, transcript, valueAt } = fairdeal;
  const { integer, binary, listOf, fields } = fairdeal.shapes;
  const PREFIX = 'fd1.';
  const CHECKSUM = 4;
  // SPEC "Limits"
  const MAX_TICKET = 1000;

  const seatNumber = integer(0, 7);
  const BODY = fields(
    ['version', integer(1, 1)],
    ['termsHash', binary(32)],
    ['rounds', integer(1, MAX_ROUNDS)],
    ['round', integer(1, MAX_ROUNDS)],
    ['fingerprint', binary(32)],
    ['path', listOf(binary(32), 0, 10)],
    ['contributions', listOf(binary(0, 32), 3, 8)],
    ['packs', integer(1, 2)],
    ['jokers', integer(0, 2)],
    ['position', seatNumber],
    ['seat', seatNumber],
  );

  function readBody(bytes) {
    const { value, end } = valueAt(bytes, 0);
    must(end === bytes.length, 'bytes behind the last value');
    const { version, ...ticket } = BODY(value);
    must(ticket.round <= ticket.rounds, 'a round beyond the last');
    // A hash too many or too few could still lead to some root: SPEC "What a verifier must refuse".
    must(ticket.path.length === pathSides(ticket.round - 1, ticket.rounds).length, 'a path of a wrong length');
    must(ticket.jokers !== 1, 'one joker per pack');
    const seats = ticket.contributions.length;
    must(ticket.position < seats && ticket.seat < seats, 'a seat or position that does not exist');
    return ticket;
  }

  async function checksum(body) {
    return (await hash('ticket', body)).subarray(0, CHECKSUM);
  }

  /** The one text of a ticket's values. */
  async function encodeTicket(ticket) {
    const { termsHash, rounds, round, path, contributions, packs, jokers, position, seat } = ticket;
    const deck = [contributions, packs, jokers, position, seat];
    const body = pack([1, termsHash, rounds, round, ticket.fingerprint, path, ...deck]);
    return PREFIX + toBase64(concat(body, await checksum(body)));
  }

  /** The values of a ticket; throws a Refusal `malformed` for every text that they do not encode to. */
  async function decodeTicket(text) {
    try {
      // The length comes first, so that nothing long is ever worked on.
      must(text.length <= MAX_TICKET, 'more than 1,000 characters');
      must(text.startsWith(PREFIX), 'it does not start with fd1.');
      const bytes = fromBase64(text.slice(PREFIX.length));
      const ticket = readBody(bytes.slice(0, -CHECKSUM));
      // This stops a wrong checksum and unused bits that are set as well.
      must((await encodeTicket(ticket)) === text, 'its checksum is wrong, or it is not spelt in the one way there is');
      return ticket;
    } catch (error) {
      if (error instanceof Malformed || error instanceof RangeError) throw new Refusal('malformed', '', error.message);
      throw error;
    }
  }

  /** What a ticket leads to and never carries: the tree's nodes up to the root, C and T. */
  async function ticketLeadsTo(ticket) {
    const leaf = await leafHash(ticket.fingerprint);
    const nodes = await nodesFromPath(leaf, ticket.path, ticket.round - 1, ticket.rounds);
    const root = nodes.at(-1)?.hash ?? leaf;
    const committed = await commitment(ticket.termsHash, ticket.rounds, root);
    const made = await transcript(ticket.termsHash, committed, ticket.contributions);
    return { leaf, nodes, root, commitment: committed, transcript: made };
  }

  /** Every step from the ticket and a round's seed to the hands; throws a Refusal if the seed is not the ticket's. */
  async function ticketDeal(ticket, made, seed) {
    const found = await fingerprint(ticket.termsHash, ticket.round, seed);
    if (!equal(found, ticket.fingerprint)) {
      throw new Refusal('ticket-fingerprint', 'seed', `this seed has the fingerprint ${toHex(found)}`);
    }
    const { round, packs, jokers, contributions } = ticket;
    return shuffleSteps(seed, made, { round, packs, jokers, seats: contributions.length });
  }

  // ---- what a player asks

  const NAMES = {
    ticket: 'the ticket can be read',
    seed: 'the seed is the one that the ticket fixed',
    commitment: 'the ticket leads to the commitment',
    contribution: 'the own contribution is in it',
    deal: 'shuffle and deal',
    cards: 'the cards are those dealt',
  };
  const OPEN = [
    'the rules of play: a ticket shows the deal only',
    "whether this position is the right one for this seat: that is the ticket's word",
    'who the other contributors were',
    "that their values may have been chosen after the player's own was known, unless the lock is compared",
  ];

  function digestText(value, what) {
    const text = value.trim().toLowerCase();
    if (!/^[0-9a-f]{64}$/.test(text)) throw new Refusal('malformed', what, `${what} is not 64 hexadecimal digits`);
    return fromHex(text);
  }

  function givenCards(cards) {
    try {
      return typeof cards === 'string' ? parseCards(cards) : cards;
    } catch (error) {
      throw new Refusal('malformed', 'cards', error.message);
    }
  }

  /** Reads what the player gave; what is empty was not given and is null. */
  function readKnown(seed, { cards, commitment: known, contribution }) {
    const given = givenCards(cards ?? []);
    if (given.some((face) => !(face >= 0 && face < FACES))) throw new Refusal('malformed', 'cards', 'no such card');
    return {
      seed: seed?.trim() ? digestText(seed, 'seed') : null,
      cards: given.length > 0 ? given : null,
      commitment: known?.trim() ? digestText(known, 'commitment') : null,
      contribution: contribution?.trim() ? digestText(contribution, 'contribution') : null,
    };
  }

  class TicketReport {
    constructor() {
      const checks = Object.entries(NAMES).map(([id, name]) => ({ id, name, state: 'not checked', detail: '' }));
      Object.assign(this, { verdict: 'no verdict', findings: [], checks, ticket: null, commitment: '' });
      Object.assign(this, { transcript: '', hand: null, shuffle: null, open: OPEN });
    }

    set(id, state, detail) {
      Object.assign(this.checks.find((check) => check.id === id), { state, detail });
    }

    fault(id, code, expected, found) {
      this.findings.push({ code, place: id, expected, found });
      this.set(id, 'failed', `expected ${expected}; found ${found}`);
    }

    /** A finding for two values that differ, and a pass for two that do not. */
    compare(id, code, expected, found, detail) {
      if (expected === found) this.set(id, 'passed', detail);
      else this.fault(id, code, expected, found);
    }
  }

  function compareCommitment(report, known) {
    if (known) report.compare('commitment', 'commitment-other', toHex(known), report.commitment, 'it is the one given');
    else report.set('commitment', 'not checked', 'compare it with the one that was published before the match');
  }

  function compareContribution(report, known, { contributions, seat }) {
    const held = toHex(contributions[seat]);
    if (known) {
      report.compare('contribution', 'contribution-other', toHex(known), held || 'nothing', 'it is the one given');
    } else if (held) {
      report.set('contribution', 'not checked', 'compare it with the value that this seat gave');
    } else {
      report.set('contribution', 'passed', 'nothing to check: the ticket has none for this seat');
    }
  }

  async function dealAgain(report, { seed, cards }) {
    const { ticket } = report;
    try {
      report.shuffle = await ticketDeal(ticket, fromHex(report.transcript), seed);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'ticket-fingerprint') throw error;
      report.fault('seed', error.code, `the seed of fingerprint ${toHex(ticket.fingerprint)}`, error.message);
      report.set('deal', 'not checked', "the seed is not the ticket's");
      report.set('cards', 'not checked', "the seed is not the ticket's");
      return;
    }
    report.hand = ascending(report.shuffle.hands[ticket.position]);
    report.set('seed', 'passed', `its fingerprint is ${toHex(ticket.fingerprint)}`);
    report.set('deal', 'passed', `${report.shuffle.used} bytes of the stream give the order of the deck`);
    const dealt = cardsText(report.hand);
    if (cards) {
      report.compare('cards', 'cards-other', dealt, cardsText(ascending(cards)), 'they are those given');
    } else {
      report.findings.push({ code: 'not-compared', place: 'cards', expected: dealt, found: 'no cards were given' });
      report.set('cards', 'not checked', 'no cards were given to compare');
    }
  }

  /** Checks a ticket against what the player knows, see the last part; text that cannot be read is a finding too. */
  async function verifyTicket(ticketText, seedText, known = {}) {
    const report = new TicketReport();
    try {
      if (cryptoMissing()) throw new Refusal('unreadable', '', cryptoMissing());
      report.ticket = await decodeTicket(ticketText.trim());
      report.set('ticket', 'passed', 'it is whole and spelt in the one way there is');
      const given = readKnown(seedText, known);
      const leadsTo = await ticketLeadsTo(report.ticket);
      report.commitment = toHex(leadsTo.commitment);
      report.transcript = toHex(leadsTo.transcript);
      if (given.seed) await dealAgain(report, given);
      else for (const id of ['seed', 'deal', 'cards']) report.set(id, 'not checked', 'no seed was given');
      compareCommitment(report, given.commitment);
      compareContribution(report, given.contribution, report.ticket);
      // In the order of the steps, though the seed is needed first.
      const step = ({ place }) => Object.keys(NAMES).indexOf(place);
      report.findings.sort((left, right) => step(left) - step(right));
      const failed = report.checks.some(({ state }) => state === 'failed');
      const compared = report.hand !== null && given.cards !== null;
      report.verdict = failed ? 'refuted' : compared ? 'verified' : 'incomplete';
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, place, message } = error;
      report.findings.push({ code, place: place || 'ticket', expected: 'what can be read', found: message });
      if (!report.ticket) report.set('ticket', 'failed', message);
    }
    return report;
  }

  Object.assign(fairdeal, { encodeTicket, decodeTicket, ticketLeadsTo, ticketDeal, verifyTicket, digestText });
}
