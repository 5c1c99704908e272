// Tickets of protocol fairdeal/v1, written from vectors/SPEC.md alone: their one spelling, and what they lead to. Like
// fairdeal.mjs this file runs in a browser too.

import {
  Refusal, bigEndian, commitment, concat, deal, deckStream, equal, fingerprint, freshList, hash, leafHash, pathSides,
  rootFromPath, shuffle, transcript, MAX_ROUNDS,
} from './fairdeal.mjs';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const PREFIX = 'fd1.';
// SPEC "Limits"
const MAX_TICKET = 1000;

function malformed(why) {
  return new Refusal('malformed', '', why);
}

function toBase64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = (bytes[at] << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const digits = [18, 12, 6, 0].map((shift) => ALPHABET[(group >> shift) & 63]).join('');
    text += digits.slice(0, Math.min(4, bytes.length - at + 1));
  }
  return text;
}

function fromBase64(text) {
  const bytes = [];
  let bits = 0;
  let held = 0;
  for (const char of text) {
    const digit = ALPHABET.indexOf(char);
    if (digit < 0) throw malformed('a character outside the URL-safe alphabet');
    held = ((held << 6) | digit) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return Uint8Array.from(bytes);
}

/**
 * Reads MessagePack as far as a ticket's types and ranges leave room for it. That the form is canonical, with nothing
 * behind it, is seen by encoding the values again: see decodeTicket.
 */
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  take(length) {
    if (this.bytes.length - this.at < length) throw malformed('the body ends inside a value');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  byte() {
    return this.take(1)[0];
  }

  integer(low, high) {
    // In uint 32 and beyond no integer of a ticket is in its shortest form, and none is negative.
    const head = this.byte();
    let value = head;
    if (head === 0xcc) value = this.byte();
    else if (head === 0xcd) value = 256 * this.byte() + this.byte();
    else if (head > 0x7f) throw malformed('not an integer of a ticket');
    if (value < low || value > high) throw malformed('an integer out of range');
    return value;
  }

  binary(...lengths) {
    if (this.byte() !== 0xc4) throw malformed('not a byte string');
    const length = this.byte();
    if (!lengths.includes(length)) throw malformed('a byte string of a wrong length');
    return this.take(length);
  }

  listLength(low, high) {
    // No list of a ticket has more than 11 values, so array 16 is never the shortest form.
    const head = this.byte();
    if (head >> 4 !== 9) throw malformed('not a list');
    const length = head & 15;
    if (length < low || length > high) throw malformed('a list of a wrong length');
    return length;
  }

  list(low, high, ...lengths) {
    return Array.from({ length: this.listLength(low, high) }, () => this.binary(...lengths));
  }
}

/** The values at the start of these bytes, in the order of the table in SPEC "Ticket". */
function readBody(bytes) {
  const reader = new Reader(bytes);
  reader.listLength(11, 11);
  reader.integer(1, 1);
  const ticket = { termsHash: reader.binary(32), rounds: reader.integer(1, MAX_ROUNDS) };
  ticket.round = reader.integer(1, ticket.rounds);
  ticket.fingerprint = reader.binary(32);
  // A hash too many or too few could still lead to some root: SPEC "What a verifier must refuse".
  const levels = pathSides(ticket.round - 1, ticket.rounds).length;
  ticket.path = reader.list(levels, levels, 32);
  ticket.contributions = reader.list(3, 8, 0, 32);
  ticket.packs = reader.integer(1, 2);
  ticket.jokers = reader.integer(0, 2);
  if (ticket.jokers === 1) throw malformed('one joker per pack');
  ticket.position = reader.integer(0, ticket.contributions.length - 1);
  ticket.seat = reader.integer(0, ticket.contributions.length - 1);
  return ticket;
}

function packInteger(value) {
  if (value < 128) return Uint8Array.of(value);
  return value < 256 ? Uint8Array.of(0xcc, value) : concat(Uint8Array.of(0xcd), bigEndian(value, 2));
}

function packBinary(bytes) {
  return concat(Uint8Array.of(0xc4, bytes.length), bytes);
}

function packList(values) {
  return concat(Uint8Array.of(0x90 + values.length), ...values);
}

export async function encodeTicket(ticket) {
  const body = packList([
    packInteger(1),
    packBinary(ticket.termsHash),
    packInteger(ticket.rounds),
    packInteger(ticket.round),
    packBinary(ticket.fingerprint),
    packList(ticket.path.map(packBinary)),
    packList(ticket.contributions.map(packBinary)),
    ...[ticket.packs, ticket.jokers, ticket.position, ticket.seat].map(packInteger),
  ]);
  const checksum = (await hash('ticket', body)).subarray(0, 4);
  return PREFIX + toBase64(concat(body, checksum));
}

/** The values of a ticket; a Refusal `malformed` for every text that its own values do not encode to. */
export async function decodeTicket(text) {
  // The length comes first, so that nothing long is ever worked on.
  if (text.length > MAX_TICKET) throw malformed('more than 1,000 characters');
  if (!text.startsWith(PREFIX)) throw malformed('does not start with fd1.');
  const ticket = readBody(fromBase64(text.slice(PREFIX.length)));
  // This also stops a wrong checksum, trailing bytes, unused bits that are set and whatever is not canonical.
  if ((await encodeTicket(ticket)) !== text) throw malformed('not the one spelling of this ticket');
  return ticket;
}

/** C and T, which a ticket leads to and never carries: SPEC "Verifying a ticket", steps 3 and 5. */
export async function ticketLeadsTo(ticket) {
  const leaf = await leafHash(ticket.fingerprint);
  const root = await rootFromPath(leaf, ticket.path, ticket.round - 1, ticket.rounds);
  const committed = await commitment(ticket.termsHash, ticket.rounds, root);
  const made = await transcript(ticket.termsHash, committed, ticket.contributions);
  return { commitment: committed, transcript: made };
}

/** The hand of the ticket's position, ascending; a Refusal if the seed is not the ticket's (steps 2 and 5). */
export async function ticketHand(ticket, transcriptHash, seed) {
  const found = await fingerprint(ticket.termsHash, ticket.round, seed);
  if (!equal(found, ticket.fingerprint)) throw new Refusal('ticket-fingerprint', 'seed', 'the seed of another ticket');
  const stream = await deckStream(seed, transcriptHash, ticket.round);
  const { order } = shuffle(freshList(ticket.packs, ticket.jokers), stream);
  return deal(order, ticket.contributions.length)[ticket.position].sort((left, right) => left - right);
}
