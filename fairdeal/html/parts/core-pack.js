// SPEC "Match log", "Canonical form": MessagePack values, and what shape they have to have.
{
  const { bigEndian, concat, equal, range } = fairdeal;
  // SPEC "Limits"
  const MAX_VALUES = 32;
  const MAX_BYTES = 64;
  const MAX_DEPTH = 1024;
  const MAX_LIST = 4096;

  /** Bytes that are not in the format. Whoever reads a record or a ticket says where it started. */
  class Malformed extends Error {}

  function must(holds, why) {
    if (!holds) throw new Malformed(why);
  }

  /**
   * Reads values and checks their types and sizes. That each has its shortest form is seen by encoding it again: see
   * valueAt.
   */
  class Reader {
    constructor(bytes, at) {
      this.bytes = bytes;
      this.at = at;
    }

    take(length) {
      must(this.bytes.length - this.at >= length, 'the bytes end inside a value');
      this.at += length;
      return this.bytes.subarray(this.at - length, this.at);
    }

    number(length) {
      return this.take(length).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    }

    integer(length, signed) {
      const value = signed ? BigInt.asIntN(8 * length, this.number(length)) : this.number(length);
      const plain = Number(value);
      // What is beyond has no place in a log, but in the terms of another protocol.
      return Number.isSafeInteger(plain) ? plain : value;
    }

    text(length) {
      must(length <= MAX_BYTES, 'a text of more than 64 bytes');
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.take(length));
      } catch (error) {
        throw error instanceof Malformed ? error : new Malformed('a text that is not UTF-8');
      }
    }

    binary(length) {
      must(length <= MAX_BYTES, 'a byte string of more than 64 bytes');
      return this.take(length);
    }

    list(length, depth) {
      must(length <= MAX_VALUES, 'a list of more than 32 values');
      must(depth <= MAX_DEPTH, 'lists more than 1,024 deep');
      return range(length).map(() => this.value(depth + 1));
    }

    value(depth) {
      const head = this.take(1)[0];
      if (head < 0x80) return head;
      if (head >= 0xe0) return head - 0x100;
      if (head >> 4 === 9) return this.list(head & 15, depth);
      if (head >> 5 === 5) return this.text(head & 31);
      if (head >= 0xcc && head <= 0xd3) return this.integer(1 << (head & 3), head >= 0xd0);
      if (head === 0xc4) return this.binary(this.take(1)[0]);
      if (head === 0xd9) return this.text(this.take(1)[0]);
      must(head === 0xdc, 'a value of a type that no log has');
      return this.list(Number(this.number(2)), depth);
    }
  }

  function packInteger(value) {
    if (value >= -32 && value < 128) return Uint8Array.of(value & 0xff);
    const big = BigInt(value);
    const size = [0, 1, 2, 3].find((power) =>
      value < 0 ? BigInt.asIntN(8 << power, big) === big : BigInt.asUintN(8 << power, big) === big,
    );
    const bytes = range(1 << size).map((at) => Number((big >> BigInt(8 * at)) & 0xffn));
    return Uint8Array.of((value < 0 ? 0xd0 : 0xcc) + size, ...bytes.reverse());
  }

  /** The canonical form of a value: an integer (or BigInt), a text, a Uint8Array or a list of such. */
  function pack(value) {
    if (Array.isArray(value)) {
      const { length } = value;
      const head = length < 16 ? Uint8Array.of(0x90 + length) : concat(Uint8Array.of(0xdc), bigEndian(length, 2));
      return concat(head, ...value.map(pack));
    }
    if (value instanceof Uint8Array) return concat(Uint8Array.of(0xc4, value.length), value);
    if (typeof value !== 'string') return packInteger(value);
    const bytes = new TextEncoder().encode(value);
    return concat(bytes.length < 32 ? Uint8Array.of(0xa0 + bytes.length) : Uint8Array.of(0xd9, bytes.length), bytes);
  }

  /** The value at a place in canonical form, as { value, end }; throws Malformed. */
  function valueAt(bytes, start) {
    const reader = new Reader(bytes.subarray(0, start + MAX_LIST), start);
    const value = reader.value(1);
    must(equal(pack(value), bytes.subarray(start, reader.at)), 'a value that is not in its shortest form');
    return { value, end: reader.at };
  }

  // ---- shapes: a function from a value to what it stands for, which throws Malformed for any other

  const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/;

  const integer = (low, high) => (value) => {
    // A log has up to 16 million of them: the text is made only where it is needed.
    if (typeof value === 'number' && low <= value && value <= high) return value;
    throw new Malformed(`not an integer from ${low} to ${high}`);
  };

  const binary = (...lengths) => (value) => {
    must(value instanceof Uint8Array && lengths.includes(value.length), `not ${lengths.join(' or ')} bytes`);
    return value;
  };

  const text = (low, high) => (value) => {
    must(typeof value === 'string' && !CONTROLS.test(value), 'not a text');
    const { length } = new TextEncoder().encode(value);
    must(low <= length && length <= high, `not a text of ${low} to ${high} bytes`);
    return value;
  };

  /** One of several names, or false and true, by its index. */
  const choice = (...names) => (value) => names[integer(0, names.length - 1)(value)];

  const listOf = (shape, low, high) => (value) => {
    must(Array.isArray(value) && low <= value.length && value.length <= high, 'not a list of the right length');
    return value.map(shape);
  };

  /** A list of so many values as an object with names, each field a pair of its name and its shape. */
  const fields = (...pairs) => (value) => {
    must(Array.isArray(value) && value.length === pairs.length, `not a list of ${pairs.length} values`);
    return Object.fromEntries(pairs.map(([name, shape], at) => [name, shape(value[at])]));
  };

  const shapes = { integer, binary, text, choice, listOf, fields };
  Object.assign(fairdeal, { Malformed, must, pack, valueAt, shapes });
}
