// SPEC "Placement": which part of the match each record belongs to, and which have no room where they stand.
{
  const OPENING = ['commitment', 'sealed', 'opened'];
  const SMALL = ['set', 'pass'];
  const LONG_MARK = 0x10000 - 128; // tenths from which a mark takes more than three bytes

  /** Takes the records of a log one after the other; `parts` is what they make, see finish. */
  class Placement {
    constructor(contributing) {
      this.contributing = contributing;
      this.waiting = []; // signatures of seats that may turn out to stand before the close
      this.run = ''; // what kind of misplaced small actions came last
      this.parts = {
        commitment: null, sealed: [], lock: 0, lockSignatures: [], lockSigned: 0, opened: [], early: new Set(),
        openedStart: 0, rounds: [], closeSignatures: [], closeSigned: 0, close: null, final: null, misplaced: [],
      };
    }

    add(item) {
      const { record } = item;
      if (!this.parts.close && this.endsWaiting(record)) this.loseWaiting();
      if (this.hasRoom(item)) {
        this.run = '';
        return;
      }
      const small = this.smallRun(record);
      if (small === '' || small !== this.run) this.misplace(item);
      this.run = small;
    }

    /** What a misplaced small action may be one record with, empty for any other. */
    smallRun({ type, tenths, actedFor }) {
      if (!SMALL.includes(type) || tenths >= LONG_MARK) return '';
      return tenths === null && actedFor === null ? 'plain' : 'timed';
    }

    /** All parts, once every record was added: signatures that no close came after may stand before one to come. */
    finish() {
      if (!this.parts.close) this.keepWaiting();
      return this.parts;
    }

    misplace({ start, record }) {
      const { close, rounds, misplaced } = this.parts;
      const place = close ? 'close' : rounds.length > 0 ? `round[${rounds.length}]` : 'opening';
      misplaced.push({ start, place, type: record.type });
    }

    get open() {
      const round = this.parts.rounds.at(-1);
      return round && !round.end ? round : null;
    }

    startsRound({ type, round }) {
      return type === 'deal' && this.open?.deal.round !== round;
    }

    /** Whether signatures that wait cannot stand before the close, now that this record comes. */
    endsWaiting(record) {
      if (record.type === 'signature' || record.type === 'close') return false;
      if (record.type === 'deal') return this.startsRound(record);
      return this.parts.rounds.length > 0 ? !OPENING.includes(record.type) : OPENING.includes(record.type);
    }

    loseWaiting() {
      this.waiting.forEach((item) => this.misplace(item));
      this.waiting = [];
    }

    keepWaiting() {
      if (this.waiting.length === 0) return;
      this.parts.closeSigned = this.waiting[0].start;
      this.parts.closeSignatures = this.waiting.map(({ record }) => record);
      this.waiting = [];
    }

    hasRoom(item) {
      const { record } = item;
      const { parts } = this;
      if (record.type === 'signature') return this.signature(item);
      if (parts.close) return false;
      if (record.type === 'close') {
        this.keepWaiting();
        parts.close = item;
        return true;
      }
      if (OPENING.includes(record.type)) return parts.rounds.length === 0 && this.opening(item);
      return record.type === 'deal' ? this.deal(item) : this.inRound(item);
    }

    signature({ start, end, record }) {
      const { parts } = this;
      const follows = (group) => group.length === 0 || group.at(-1).signer < record.signer;
      if (parts.close) {
        if (record.signer !== 0 || parts.final) return false;
        parts.final = record;
        return true;
      }
      if (parts.opened.length + parts.rounds.length === 0) {
        if (!follows(parts.lockSignatures)) return false;
        if (parts.lockSignatures.length === 0) parts.lockSigned = start;
        parts.lockSignatures.push(record);
        return true;
      }
      if (record.signer === 0 || !follows(this.waiting.map((item) => item.record))) return false;
      this.waiting.push({ start, end, record });
      return true;
    }

    opening({ start, end, record }) {
      const { parts } = this;
      const { sealed, opened, lockSignatures } = parts;
      if (record.type === 'commitment') {
        if (parts.commitment || sealed.length + opened.length + lockSignatures.length > 0) return false;
        parts.commitment = record.commitment;
        parts.lock = end;
      } else if (record.type === 'sealed') {
        if (lockSignatures.length > 0 || (opened.length > 0 && sealed.length >= this.contributing)) return false;
        opened.forEach(({ seat }) => parts.early.add(seat));
        sealed.push(record);
        parts.lock = end;
      } else {
        if (opened.length === 0) parts.openedStart = start;
        opened.push(record);
      }
      return true;
    }

    deal({ start, record }) {
      if (!this.startsRound(record)) return false;
      this.parts.rounds.push({ start, deal: record, gifts: [], actions: [], events: [], end: null, endOffset: 0 });
      return true;
    }

    inRound({ end, record }) {
      const round = this.parts.rounds.at(-1);
      if (!round) return false;
      if (record.type === 'seat-event') {
        round.events.push({ after: round.gifts.length + round.actions.length, record });
        return true;
      }
      if (round.end || (record.type === 'exchange' && round.actions.length > 0)) return false;
      if (record.type === 'round-end') Object.assign(round, { end: record, endOffset: end });
      else round[record.type === 'exchange' ? 'gifts' : 'actions'].push(record);
      return true;
    }
  }

  Object.assign(fairdeal, { Placement });
}
