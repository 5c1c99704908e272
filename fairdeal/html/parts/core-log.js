// SPEC "Match log": a file to its records. Where they stand is for the next part.
{
  const { FACES, KINDS, MAX_ROUNDS, Malformed, POINTS, Placement, Refusal, contributors, hash, must } = fairdeal;
  const { readTerms, valueAt } = fairdeal;
  const { integer, binary, choice, listOf, fields } = fairdeal.shapes;
  // SPEC "Limits"
  const MAX_LOG = 1 << 24;
  const MAX_MISPLACED = 1000;
  const MOST = { deals: MAX_ROUNDS, lists: 64, actions: 4096, events: 64 };

  const HEAD = 0x40;
  const MARKS = 0xcc;
  const MARKERS = 0xf0;
  const PASSES = 0xf8;
  const FIRST_MARK = 128;
  const PRESENCES = ['disconnected', 'returned', 'left'];
  const REASONS = ['by-rule', 'not-sealed', 'not-signed', 'not-opened', 'stopped'];
  const CARD = integer(0, FACES - 1);
  const HASH = binary(32);
  const ACTIONS = ['set', 'pass', 'big-set', 'straight'];
  const TIMEABLE = [...ACTIONS, 'exchange', 'seat-event'];

  // ---- lists

  /** So many seats' values each for places, titles and points, gathered from a flat list into lists of their own. */
  const gathered = (seats, rest) => {
    const lists = [0, 1, 2].map((at) => rest.slice(at * seats, (at + 1) * seats));
    return [...lists, ...rest.slice(3 * seats)];
  };
  const withCards = (before, rest) => [...rest.slice(0, before), rest.slice(before)];

  /** By the kind of a list: the type of its record, the shape of its values, and how flat values are gathered. */
  function shapesAt(seats) {
    const seat = ['seat', integer(0, seats - 1)];
    const each = (shape) => listOf(shape, seats, seats);
    const place = integer(1, seats);
    const finals = listOf(place, 0, seats);
    const total = integer(-(2 ** 31), Number.MAX_SAFE_INTEGER);
    const cards = (most) => ['cards', listOf(CARD, 1, most)];
    const play = (type) => [type, fields(seat, cards(12)), (rest) => withCards(1, rest)];
    const flat = (rest) => rest;
    const closed = (value) => (value === -1 ? null : integer(0, seats - 1)(value));
    const none = (value) => {
      must(Array.isArray(value) && [0, seats].includes(value.length), 'final places of some seats only');
      return finals(value);
    };
    const gift = fields(['giver', seat[1]], ['receiver', seat[1]], cards(18));
    const end = [['places', each(place)], ['titles', each(integer(0, 4))], ['points', each(POINTS)], ['seed', HASH]];
    const close = [['reason', choice(...REASONS)], ['seat', closed], ['digest', HASH]];
    close.push(['totals', each(total)], ['places', none], ['secret', HASH]);
    return [
      null,
      ['commitment', fields(['commitment', HASH]), flat],
      ['sealed', fields(seat, ['seal', HASH]), flat],
      ['opened', fields(seat, ['contribution', HASH]), flat],
      ['signature', fields(['signer', integer(0, seats)], ['signature', binary(64)]), flat],
      ['deal', fields(['round', integer(1, MAX_ROUNDS)], ['first', seat[1]], ['blind', binary(16)]), flat],
      ['exchange', gift, (rest) => withCards(2, rest)],
      play('big-set'),
      play('straight'),
      ['seat-event', fields(seat, ['presence', choice(...PRESENCES)], ['level', choice(...KINDS)]), flat],
      ['round-end', fields(...end), (rest) => gathered(seats, rest)],
      ['close', fields(...close), flat],
    ];
  }

  // ---- records

  class RecordReader {
    constructor(bytes, seats) {
      this.bytes = bytes;
      this.seats = seats;
      this.shapes = shapesAt(seats);
      this.seat = integer(0, seats - 1);
    }

    byte(at) {
      must(at < this.bytes.length, 'the log ends inside a record');
      return this.bytes[at];
    }

    /** A record without mark and marker, as { record, end }. */
    plain(start) {
      const head = this.byte(start);
      const untimed = { tenths: null, actedFor: null };
      if (head >= PASSES) return { record: { type: 'pass', seat: this.seat(0xff - head), ...untimed }, end: start + 1 };
      if (head >= HEAD && head < 0x80) {
        const end = start + 2 + ((head - HEAD) >> 3);
        const cards = [];
        for (let at = start + 1; at < end; at += 1) cards.push(CARD(this.byte(at)));
        return { record: { type: 'set', seat: this.seat(head & 7), cards, ...untimed }, end };
      }
      const { value, end } = valueAt(this.bytes, start);
      must(Array.isArray(value), 'no record begins like that');
      const [type, shape, gather] = this.shapes[integer(1, this.shapes.length - 1)(value[0])];
      const record = { type, ...shape(gather(value.slice(1))) };
      return { record: TIMEABLE.includes(type) ? Object.assign(record, untimed) : record, end };
    }

    /** The record at a place, with what mark and marker in front of it say; throws Malformed. */
    at(start) {
      let at = start;
      let tenths = null;
      let actedFor = null;
      if (this.byte(at) >= MARKS && this.byte(at) < MARKS + 4) {
        const mark = valueAt(this.bytes, at);
        tenths = integer(FIRST_MARK, Number.MAX_SAFE_INTEGER)(mark.value) - FIRST_MARK;
        at = mark.end;
      }
      if (this.byte(at) >= MARKERS && this.byte(at) < PASSES) {
        actedFor = this.seat(0xf7 - this.byte(at));
        at += 1;
      }
      const { record, end } = this.plain(at);
      if (at > start) {
        must(TIMEABLE.includes(record.type), 'a clock mark or marker before a record that takes none');
        must(actedFor === null || record.type !== 'seat-event', 'a clock marker before a seat event');
        Object.assign(record, { tenths, actedFor });
      }
      return { start, end, record };
    }
  }

  /** Counts what SPEC "Limits" bounds from one deal to the next, misplaced or not. */
  class Counter {
    constructor() {
      this.counts = { deals: 0, lists: 0, actions: 0, events: 0 };
    }

    add({ type }) {
      if (type === 'deal') this.counts = { deals: this.counts.deals + 1, lists: 0, actions: 0, events: 0 };
      const kind = ACTIONS.includes(type) ? 'actions' : type === 'seat-event' ? 'events' : 'lists';
      this.counts[kind] += 1;
      for (const name of ['deals', kind]) {
        if (this.counts[name] > MOST[name]) throw new Malformed(`more than ${MOST[name]} ${name}`);
      }
    }
  }

  /** Appends records and places them until one is malformed; returns why reading stopped, or null. */
  function readRecords(bytes, start, terms, records, placement) {
    const reader = new RecordReader(bytes, terms.seats.length);
    const counter = new Counter();
    let at = start;
    try {
      while (at < bytes.length) {
        const item = reader.at(at);
        counter.add(item.record);
        records.push(item);
        placement.add(item);
        must(placement.parts.misplaced.length < MAX_MISPLACED, 'too many misplaced records');
        at = item.end;
      }
      return null;
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      return { code: 'malformed', place: `byte ${at}`, why: error.message };
    }
  }

  function termsAt(bytes) {
    try {
      must(bytes.length <= MAX_LOG, 'a log of more than 16 MiB');
      const { value, end } = valueAt(bytes, 0);
      return { terms: readTerms(value), termsEnd: end };
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      throw new Refusal('malformed', `byte ${bytes.length > MAX_LOG ? MAX_LOG : 0}`, error.message);
    }
  }

  /** A decoded log, see the last part; throws a Refusal if not even its terms can be read. */
  async function decodeLog(bytes) {
    const { terms, termsEnd } = termsAt(bytes);
    const records = [];
    const placement = new Placement(contributors(terms).length);
    const broken = readRecords(bytes, termsEnd, terms, records, placement);
    const parts = placement.finish();
    const termsHash = await hash('terms', bytes.subarray(0, termsEnd));
    return { bytes, terms, termsHash, termsEnd, records, broken, parts, size: records.at(-1)?.end ?? termsEnd };
  }

  Object.assign(fairdeal, { decodeLog });
}
