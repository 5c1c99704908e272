'use strict';

/*
 * The core of the page: protocol fairdeal/v1 once more, written from the specification ("SPEC" below) on nothing but
 * WebCrypto, so that a browser can check a deal by itself. Every part is a block that takes what it needs from the one
 * object `fairdeal` and puts there what others need; the last part says what a page may use of it.
 *
 * This part: byte strings (Uint8Arrays), hexadecimal, base64 and cards.
 */

globalThis.fairdeal = {};

{
  /** What a verifier refuses, with the code and place of SPEC "Codes"; the message says why. */
  class Refusal extends Error {
    constructor(code, place, why) {
      super(why);
      this.code = code;
      this.place = place;
    }
  }

  const range = (count) => Array.from({ length: count }, (_, at) => at);

  function concat(...parts) {
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  function equal(left, right) {
    return left.length === right.length && left.every((byte, at) => byte === right[at]);
  }

  function toHex(bytes) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  /** The bytes of lower-case hexadecimal digits; throws a RangeError for any other text. */
  function fromHex(text) {
    if (text.length % 2 !== 0 || /[^0-9a-f]/.test(text)) throw new RangeError('not lower-case hexadecimal');
    return Uint8Array.from(range(text.length / 2), (at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
  }

  function bigEndian(value, length) {
    // Division instead of shifts: these cut a number down to 32 bits, and fields go up to 2^53-1.
    const bytes = new Uint8Array(length);
    for (let at = length - 1, rest = value; at >= 0; at -= 1, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
    return bytes;
  }

  // ---- base64 of RFC 4648, section 5, without padding

  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

  function toBase64(bytes) {
    let text = '';
    for (let at = 0; at < bytes.length; at += 3) {
      const group = (bytes[at] << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
      const digits = [18, 12, 6, 0].map((shift) => ALPHABET[(group >> shift) & 63]).join('');
      text += digits.slice(0, Math.min(4, bytes.length - at + 1));
    }
    return text;
  }

  /** The bytes of a text, whatever unused bits are set; throws a RangeError for a character of no digit. */
  function fromBase64(text) {
    const bytes = [];
    let bits = 0;
    let held = 0;
    for (const char of text) {
      const digit = ALPHABET.indexOf(char);
      if (digit < 0) throw new RangeError('a character outside the URL-safe alphabet');
      held = ((held << 6) | digit) & 0xfff;
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
    return Uint8Array.from(bytes);
  }

  // ---- cards, SPEC "Cards"

  const RANKS = '3456789TJQKA2';
  const SUITS = 'cdhs';
  const JOKERS = ['X1', 'X2'];
  const FACES = 54;

  function cardText(face) {
    return JOKERS[face - 52] ?? RANKS[face >> 2] + SUITS[face & 3];
  }

  function cardsText(faces) {
    return faces.map(cardText).join(' ');
  }

  function parseCard(word) {
    const suited = word.replace(/([♣♦♥♠])[\uFE0E\uFE0F]?$/, (_, sign) => SUITS['♣♦♥♠'.indexOf(sign)]);
    const [, rank, suit] = /^(10|[2-9TJQKA])([CDHS])$/i.exec(suited) ?? [];
    if (rank) return 4 * RANKS.indexOf(rank.toUpperCase().replace('10', 'T')) + SUITS.indexOf(suit.toLowerCase());
    const joker = JOKERS.indexOf(word.toUpperCase());
    if (joker < 0) throw new RangeError(`no card: ${word}`);
    return 52 + joker;
  }

  /**
   * The faces of cards as people write them: blanks, commas or line ends between them, either case, `10c` as well as
   * `Tc`, signs for suits. Throws a RangeError that names the first word that is no card.
   */
  function parseCards(text) {
    return text.split(/[\s,;]+/).filter(Boolean).map(parseCard);
  }

  Object.assign(fairdeal, { Refusal, range, concat, equal, toHex, fromHex, bigEndian, toBase64, fromBase64 });
  Object.assign(fairdeal, { FACES, cardText, cardsText, parseCards });
}
