// A client of the runner around the core of the page: `node page.mjs PAGE.html` takes the script out of the page as it
// was assembled, so that what a browser runs is what the vectors test. It answers the requests of the runner protocol
// `fairdeal-vectors/1`: one JSON object a line on standard input, one answer a line on standard output. A line that
// cannot be answered ends it with a message on standard error and, as in SPEC "Guarantees" for malformed input, exit
// code 3.

import { coreOf } from './core.mjs';

const PROTOCOL = 'fairdeal-vectors/1';
const NAME = 'the core of the page';
// The longest request is a log near its limits in hexadecimal.
const MAX_LINE = 1 << 26;
const fairdeal = coreOf(process.argv[2]);
const { toHex, cardText, cardsText } = fairdeal;

/** An input outside what the specification defines; the answer is `declined`. */
class Declined extends Error {}

/** A line that is no request, so that there is nothing to answer to. */
class Unreadable extends Error {}

// ---- inputs

function integer(value, name, low, high) {
  if (!Number.isSafeInteger(value) || value < low || value > high) {
    throw new Declined(`${name} is not an integer from ${low} to ${high}`);
  }
  return value;
}

function binary(value, name) {
  try {
    if (typeof value === 'string') return fairdeal.fromHex(value);
  } catch {
    // Declined below, like what is no text.
  }
  throw new Declined(`${name} is not lower-case hexadecimal`);
}

function bytes(input, name, length = 32) {
  const value = binary(input[name], name);
  if (value.length !== length) throw new Declined(`${name} is not ${length} bytes`);
  return value;
}

function list(input, name, low, high) {
  const value = input[name];
  if (!Array.isArray(value) || value.length < low || value.length > high) {
    throw new Declined(`${name} is not a list of ${low} to ${high} values`);
  }
  return value;
}

function integers(input, name, longest, low, high) {
  return list(input, name, 0, longest).map((value) => integer(value, `a value of ${name}`, low, high));
}

function text(input, name) {
  if (typeof input[name] !== 'string') throw new Declined(`${name} is not a text`);
  return input[name];
}

function has(input, name) {
  return Object.hasOwn(input, name);
}

// ---- stages, as in vectors/README.md, "Envelope"

async function seeds(input) {
  const rounds = integer(input.rounds, 'check', 1, fairdeal.MAX_ROUNDS);
  const made = await fairdeal.schedule(bytes(input, 'secret'), bytes(input, 'termsHash'), rounds);
  if (has(input, 'commitment') && !has(input, 'listed')) {
    if (fairdeal.equal(made.commitment, bytes(input, 'commitment'))) return {};
    throw new fairdeal.Refusal('commitment', 'close.secret', 'the secret does not make the commitment');
  }
  const listed = integers(input, 'listed', fairdeal.MAX_ROUNDS, 1, rounds);
  return {
    seedInfo: listed.map((round) => toHex(fairdeal.seedInfo(round))),
    seeds: listed.map((round) => toHex(made.seeds[round - 1])),
    fingerprints: listed.map((round) => toHex(made.fingerprints[round - 1])),
    leaves: listed.map((round) => toHex(made.leaves[round - 1])),
    paths: listed.map((round) => fairdeal.auditPath(made.tree, round - 1).map(toHex)),
    root: toHex(made.tree.hash),
    commitment: toHex(made.commitment),
  };
}

async function opening(input, termsHash, commitment) {
  const seat = integer(input.seat, 'seat', 0, 7);
  const made = await fairdeal.seal(termsHash, commitment, seat, bytes(input, 'contribution'));
  if (fairdeal.equal(made, bytes(input, 'seal'))) return {};
  throw new fairdeal.Refusal('contribution-opening', `opened[${seat}]`, 'the value does not open the seal');
}

async function contributions(input) {
  const termsHash = bytes(input, 'termsHash');
  const commitment = bytes(input, 'commitment');
  if (has(input, 'seal')) return opening(input, termsHash, commitment);
  const values = list(input, 'contributions', 3, 8).map((value) => binary(value, 'a value of contributions'));
  if (values.some(({ length }) => length !== 0 && length !== 32)) throw new Declined('a contribution is not 32 bytes');
  const sealed = values.map(async (value, seat) =>
    value.length === 0 ? '' : toHex(await fairdeal.seal(termsHash, commitment, seat, value)),
  );
  return {
    seals: await Promise.all(sealed),
    encodedContributions: toHex(fairdeal.encodeContributions(values)),
    transcript: toHex(await fairdeal.transcript(termsHash, commitment, values)),
  };
}

async function shuffle(input) {
  const cards = integers(input, 'cards', fairdeal.MAX_SHUFFLED, 0, fairdeal.FACES - 1);
  const { draws, order } = fairdeal.shuffleWith(cards, binary(input.stream, 'stream'));
  return { draws: draws.map(({ i, byte, j, accepted }) => [i, byte, j, accepted]), order };
}

async function deal(input) {
  const made = await fairdeal.shuffleSteps(bytes(input, 'seed'), bytes(input, 'transcript'), {
    round: integer(input.round, 'round', 1, Number.MAX_SAFE_INTEGER),
    seats: integer(input.seats, 'seats', 3, 8),
    packs: integer(input.packs, 'packs', 1, 2),
    jokers: integer(input.jokers, 'jokers', 0, 2),
  });
  return {
    streamInfo: made.info,
    stream: made.stream.slice(0, 2 * 192),
    order: made.order,
    hands: made.hands.map((hand) => hand.map(cardText)),
    blind: made.blind,
  };
}

async function ticket(input) {
  const values = await fairdeal.decodeTicket(text(input, 'ticket'));
  if ((await fairdeal.encodeTicket(values)) !== input.ticket) throw new Error('the ticket did not come back');
  const leadsTo = await fairdeal.ticketLeadsTo(values);
  const output = {
    ...values,
    termsHash: toHex(values.termsHash),
    fingerprint: toHex(values.fingerprint),
    path: values.path.map(toHex),
    contributions: values.contributions.map(toHex),
    commitment: toHex(leadsTo.commitment),
    transcript: toHex(leadsTo.transcript),
  };
  if (!has(input, 'seed')) return output;
  const { hands } = await fairdeal.ticketDeal(values, leadsTo.transcript, bytes(input, 'seed'));
  return { ...output, hand: fairdeal.ascending(hands[values.position]).map(cardText) };
}

/** A value as JSON has it: bytes in hexadecimal, cards as one text. */
function plain(value, name) {
  if (value instanceof Uint8Array) return toHex(value);
  if (name === 'cards') return cardsText(value);
  if (Array.isArray(value)) return value.map((one) => plain(one));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one, key)]));
}

/** The terms as vectors/README.md, "Records as JSON", has them. */
function termsEntry({ protocol, matchId, operatorKey, botPolicy, rules, ...terms }) {
  const { pass: passing, ...others } = rules;
  const named = { match_id: matchId, operator_key: operatorKey, bot_policy: botPolicy };
  return { terms: plain({ ...terms, ...named, rules: { ...others, passing } }) };
}

function recordEntry({ type, tenths = null, actedFor = null, ...record }) {
  const entry = { [type]: type === 'pass' ? record.seat : plain(record) };
  if (tenths === null && actedFor === null) return entry;
  return { clocked: { tenths, acted_for: actedFor, record: entry } };
}

async function codec(input) {
  const log = await fairdeal.decodeLog(binary(input.log, 'log'));
  if (log.broken) throw new fairdeal.Refusal(log.broken.code, log.broken.place, log.broken.why);
  const records = [termsEntry(log.terms), ...log.records.map(({ record }) => recordEntry(record))];
  return { termsHash: toHex(log.termsHash), records };
}

async function signature(input) {
  const key = bytes(input, 'key');
  const signer = integer(input.signer, 'signer', 0, 8);
  const offset = integer(input.offset, 'offset', 0, Number.MAX_SAFE_INTEGER);
  const message = fairdeal.signedMessage(bytes(input, 'termsHash'), signer, offset, bytes(input, 'digest'));
  if (fairdeal.isWeakKey(key)) throw new fairdeal.Refusal('weak-key', 'key', 'a weak key');
  if (await fairdeal.verifySignature(key, bytes(input, 'signature', 64), message)) return { message: toHex(message) };
  throw new fairdeal.Refusal('signature-bad', 'signature', 'it does not fit');
}

async function receipt(input) {
  const known = has(input, 'operatorKey') ? bytes(input, 'operatorKey') : null;
  const values = fairdeal.decodeReceipt(text(input, 'receipt'));
  const { findings, ...weighed } = await fairdeal.weighReceipt(
    values, await fairdeal.decodeLog(binary(input.log, 'log')), known, 'receipt[1]',
  );
  for (const { code, place, found } of findings) throw new fairdeal.Refusal(code, place, found);
  return { ...plain(values), ...weighed };
}

const STAGES = new Map(Object.entries({ seeds, contributions, shuffle, deal, ticket, codec, signature, receipt }));

// ---- requests

function parse(line) {
  let request;
  try {
    request = JSON.parse(line);
  } catch {
    throw new Unreadable('not JSON');
  }
  if (request === null || typeof request !== 'object') throw new Unreadable('not an object');
  // A number beyond 2^53-1 would come back as another one, and the runner would wait for its own.
  if (!Number.isSafeInteger(request.id)) throw new Unreadable('no integer id');
  if (has(request, 'hello') && request.hello !== PROTOCOL) throw new Unreadable(`this client speaks ${PROTOCOL} only`);
  return request;
}

async function answer(request) {
  const { id, stage, input } = request;
  if (has(request, 'hello')) return { id, name: NAME, stages: [...STAGES.keys()] };
  try {
    if (!STAGES.has(stage)) throw new Declined('no such stage');
    if (input === null || typeof input !== 'object' || Array.isArray(input)) throw new Declined('no input');
    return { id, output: await STAGES.get(stage)(input) };
  } catch (error) {
    if (error instanceof Declined) return { id, declined: error.message };
    if (error instanceof fairdeal.Refusal) return { id, invalid: { code: error.code, place: error.place } };
    throw error;
  }
}

// ---- lines

/** The lines of standard input as texts; the last one may lack its end. */
async function* lines(source) {
  // Each line is decoded as a whole: a chunk may end inside a character.
  const decoded = (line) => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(line);
    } catch {
      throw new Unreadable('not UTF-8');
    }
  };
  let parts = [];
  let held = 0;
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield decoded(fairdeal.concat(...parts, chunk.subarray(from, end)));
      [parts, held, from] = [[], 0, end + 1];
    }
    parts.push(chunk.subarray(from));
    held += chunk.length - from;
    if (held > MAX_LINE) throw new Unreadable(`longer than ${MAX_LINE} bytes`);
  }
  if (held > 0) yield decoded(fairdeal.concat(...parts));
}

function write(line) {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

async function main() {
  let number = 1;
  // A failed write is reported by its own call; without a listener it would also end the process half-way.
  process.stdout.on('error', () => {});
  try {
    for await (const line of lines(process.stdin)) {
      await write(JSON.stringify(await answer(parse(line))));
      number += 1;
    }
  } catch (error) {
    process.stderr.write(`fairdeal client: line ${number}: ${error.message}\n`);
    process.exitCode = error instanceof Unreadable ? 3 : 1;
  }
}

await main();
