// Answers the requests of the runner protocol `fairdeal-vectors/1`: one JSON object a line on standard input, one
// answer a line on standard output. A line that cannot be answered ends it with a message on standard error and, as in
// SPEC "Guarantees" for malformed input, exit code 3.

import * as fairdeal from './fairdeal.mjs';
import { decodeTicket, ticketHand, ticketLeadsTo } from './ticket.mjs';

const PROTOCOL = 'fairdeal-vectors/1';
const NAME = 'fairdeal.mjs, written from the specification';
// The longest request here, a thousand rounds listed, has some ten thousand bytes.
const MAX_LINE = 1 << 20;
const { toHex, cardText } = fairdeal;

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

function digest(input, name) {
  const bytes = binary(input[name], name);
  if (bytes.length !== 32) throw new Declined(`${name} is not 32 bytes`);
  return bytes;
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

function has(input, name) {
  return Object.hasOwn(input, name);
}

// ---- stages, as in vectors/README.md, "Envelope"

async function seeds(input) {
  const rounds = integer(input.rounds, 'rounds', 1, fairdeal.MAX_ROUNDS);
  const made = await fairdeal.schedule(digest(input, 'secret'), digest(input, 'termsHash'), rounds);
  if (has(input, 'commitment') && !has(input, 'listed')) {
    if (fairdeal.equal(made.commitment, digest(input, 'commitment'))) return {};
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
  const contribution = digest(input, 'contribution');
  const made = await fairdeal.seal(termsHash, commitment, seat, contribution);
  if (fairdeal.equal(made, digest(input, 'seal'))) return {};
  throw new fairdeal.Refusal('contribution-opening', `opened[${seat}]`, 'the value does not open the seal');
}

async function contributions(input) {
  const termsHash = digest(input, 'termsHash');
  const commitment = digest(input, 'commitment');
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
  const cards = integers(input, 'cards', fairdeal.MAX_SHUFFLED, 0, 53);
  return fairdeal.shuffle(cards, binary(input.stream, 'stream'));
}

async function deal(input) {
  const seed = digest(input, 'seed');
  const transcript = digest(input, 'transcript');
  const round = integer(input.round, 'round', 1, Number.MAX_SAFE_INTEGER);
  const seats = integer(input.seats, 'seats', 3, 8);
  const cards = fairdeal.freshList(integer(input.packs, 'packs', 1, 2), integer(input.jokers, 'jokers', 0, 2));
  const stream = await fairdeal.deckStream(seed, transcript, round);
  const { order } = fairdeal.shuffle(cards, stream);
  return {
    streamInfo: toHex(fairdeal.streamInfo(round)),
    stream: toHex(stream.subarray(0, 192)),
    order,
    hands: fairdeal.deal(order, seats).map((hand) => hand.map(cardText)),
    blind: toHex(await fairdeal.blind(seed, transcript, round)),
  };
}

async function ticket(input) {
  if (typeof input.ticket !== 'string') throw new Declined('ticket is not a text');
  const values = await decodeTicket(input.ticket);
  const leadsTo = await ticketLeadsTo(values);
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
  const hand = await ticketHand(values, leadsTo.transcript, digest(input, 'seed'));
  return { ...output, hand: hand.map(cardText) };
}

const STAGES = new Map(Object.entries({ seeds, contributions, shuffle, deal, ticket }));

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
  const text = (bytes) => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new Unreadable('not UTF-8');
    }
  };
  let parts = [];
  let held = 0;
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield text(fairdeal.concat(...parts, chunk.subarray(from, end)));
      [parts, held, from] = [[], 0, end + 1];
    }
    parts.push(chunk.subarray(from));
    held += chunk.length - from;
    if (held > MAX_LINE) throw new Unreadable(`longer than ${MAX_LINE} bytes`);
  }
  if (held > 0) yield text(fairdeal.concat(...parts));
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
