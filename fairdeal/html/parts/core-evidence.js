// SPEC "Receipts" and check 15: what a player holds, against a log.
{
  const { Refusal, decodeTicket, digestText, equal, fingerprint, fromHex, sha256, signaturesMissing } = fairdeal;
  const { signedMessage, ticketLeadsTo, toHex, verifySignature } = fairdeal;
  const RECEIPT = /^([0-9a-f]{64}):(0|[1-9][0-9]{0,15}):([0-9a-f]{64})(?::([0-9a-f]{128}))?$/;

  /** The values of a receipt, bytes as Uint8Arrays, an empty one for no signature; throws a Refusal `malformed`. */
  function decodeReceipt(text) {
    const [, termsHash, offset, digest, signature = ''] = RECEIPT.exec(text) ?? [];
    if (termsHash === undefined || !Number.isSafeInteger(Number(offset))) {
      throw new Refusal('malformed', '', 'not a receipt: TERMS_HASH:OFFSET:SHA256 or with a signature behind it');
    }
    const values = { termsHash: fromHex(termsHash), offset: Number(offset) };
    return { ...values, digest: fromHex(digest), signature: fromHex(signature) };
  }

  /** Where the last whole record ends at or before an offset that is not inside the terms. */
  function reached({ records, termsEnd }, offset) {
    let end = termsEnd;
    for (const record of records) {
      if (record.end > offset) break;
      end = record.end;
    }
    return end;
  }

  /** The finding on a receipt as [code, expected, found], or null; `key` is the operator's or null if none is known. */
  async function receiptFault(receipt, log, key) {
    const { offset, digest, signature } = receipt;
    if (signature.length > 0 && key && !(await signaturesMissing())) {
      const message = signedMessage(log.termsHash, 0, offset, digest);
      if (!(await verifySignature(key, signature, message))) {
        return ['receipt-signature', "a signature by the operator's key", 'one that does not fit'];
      }
    }
    if (offset > log.size) return ['receipt-beyond', `a log of at least ${offset} bytes`, `${log.size} bytes`];
    const made = await sha256(log.bytes.subarray(0, offset));
    return equal(made, digest) ? null : ['receipt-digest', toHex(digest), toHex(made)];
  }

  /** Holds a receipt against a log: whether it fits, whether it is signed by a key that is known, what it reaches. */
  async function weighReceipt(receipt, log, operatorKey, place) {
    const unfit = { fits: false, signed: false, reaches: 0, findings: [] };
    const fault = (code, expected, found) => ({ ...unfit, findings: [{ code, place, expected, found }] });
    if (!equal(receipt.termsHash, log.termsHash)) {
      return fault('receipt-terms', toHex(receipt.termsHash), toHex(log.termsHash));
    }
    if (receipt.offset < log.termsEnd) return unfit;
    const pinned = operatorKey ?? log.terms.operatorKey;
    const key = pinned.length > 0 ? pinned : null;
    const found = await receiptFault(receipt, log, key);
    if (found) return fault(...found);
    const signed = receipt.signature.length > 0 && key !== null;
    // null: there is a signature, and this browser cannot look at it.
    const looked = signed && (await signaturesMissing()) ? null : signed;
    return { fits: true, signed: looked, reaches: reached(log, receipt.offset), findings: [] };
  }

  /** Holds a receipt against the bytes of a log; text or log that cannot be read is a finding `malformed`. */
  async function checkReceipt(text, bytes, operatorKey = '') {
    try {
      const key = operatorKey.trim() ? digestText(operatorKey, "operator's key") : null;
      return await weighReceipt(decodeReceipt(text.trim()), await fairdeal.decodeLog(bytes), key, 'receipt[1]');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, place, message } = error;
      const finding = { code, place: place || 'receipt[1]', expected: 'what can be read', found: message };
      return { fits: false, signed: false, reaches: 0, findings: [finding] };
    }
  }

  // ---- evidence against a whole log

  async function weighTicket(ticket, place, { log, opening, rounds }, judge) {
    const { terms, termsHash, records, parts } = log;
    const compare = (code, expected, found, where = place) => judge.compare('evidence', code, where, expected, found);
    if (!compare('ticket-terms', ticket.termsHash, termsHash)) return null;
    compare('ticket-terms', ticket.rounds, terms.rounds, `${place}.rounds`);
    if (records.length > 0) compare('ticket-commitment', (await ticketLeadsTo(ticket)).commitment, parts.commitment);
    if (opening.made || rounds.length > 0) compare('ticket-contributions', ticket.contributions, opening.opened);
    else judge.skipped('evidence', `${place}: the log ends before all contributions are opened`);
    const deck = [terms.rules.packs, terms.rules.jokers_per_pack];
    compare('ticket-deck', [ticket.packs, ticket.jokers], deck);
    const round = rounds.find(({ number }) => number === ticket.round);
    if (!round?.seed) {
      judge.skipped('evidence', `${place}: the log reveals no seed of round ${ticket.round}`);
      return null;
    }
    const made = await fingerprint(termsHash, ticket.round, fromHex(round.seed));
    compare('ticket-fingerprint', ticket.fingerprint, made);
    if (round.seating) {
      const { length } = round.seating;
      const at = round.seating.indexOf(ticket.seat);
      const position = at < 0 ? null : (at - round.seating.indexOf(round.first) + length) % length;
      compare('ticket-position', ticket.position, position);
    } else {
      judge.skipped('evidence', `${place}: the seating follows from the round before`);
    }
    return round;
  }

  /** Holds one ticket against the log; what comes back shows the hand that the log gives its seat. */
  async function ticketAgainst(text, number, known, judge) {
    const before = judge.findings.length;
    const place = `ticket[${number}]`;
    const held = { text, round: null, seat: null, hand: null };
    const { skipped } = judge.check('evidence');
    const open = skipped.length;
    try {
      const ticket = await decodeTicket(text.trim());
      const round = await weighTicket(ticket, place, known, judge);
      const { seat } = ticket;
      Object.assign(held, { seat, round: round?.index ?? null, hand: round?.hands?.[seat] ?? null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      judge.fault('evidence', error.code, place, 'a ticket', error.message);
    }
    const findings = judge.findings.slice(before);
    const state = findings.length > 0 ? 'failed' : skipped.length > open ? 'not checked' : 'passed';
    return { ...held, findings, state };
  }

  async function weighReceipts(receipts, key, log, judge) {
    const weighed = [];
    for (const [at, text] of receipts.entries()) {
      const one = await checkReceipt(text, log.bytes, key);
      const place = `receipt[${at + 1}]`;
      for (const { code, expected, found } of one.findings) judge.fault('evidence', code, place, expected, found);
      if (one.fits) judge.passed('evidence');
      else if (one.findings.length === 0) judge.skipped('evidence', `${place}: it ends inside the terms`);
      if (one.signed === null) judge.skipped('evidence', `${place}: ${await signaturesMissing()}`);
      weighed.push({ text, ...one });
    }
    return weighed;
  }

  function weighContributions(contributions, { opening, log }, judge) {
    for (const [seat, value] of Object.entries(contributions)) {
      const place = `opened[${seat}]`;
      const opened = opening.opened[seat] ?? new Uint8Array(0);
      if (opened.length === 0 && log.parts.rounds.length === 0) judge.skipped('evidence', `${place}: not opened yet`);
      else judge.compare('evidence', 'contribution-other', place, digestText(value, place), opened);
    }
  }

  /** Holds all that is given against a judged log, in the order of the specification; returns tickets and receipts. */
  async function weighEvidence(known, given, judge) {
    const { log } = known;
    const { commitment = '', operatorKey = '', tickets = [], receipts = [], contributions = {} } = given;
    const compare = (code, place, text, value) => {
      if (text.trim()) judge.compare('evidence', code, place, digestText(text, place), value);
    };
    if (log.records.length > 0) compare('commitment-other', 'commitment', commitment, log.parts.commitment);
    compare('key-other', 'terms.key[operator]', operatorKey, log.terms.operatorKey);
    const held = [];
    for (const [at, text] of tickets.entries()) held.push(await ticketAgainst(text, at + 1, known, judge));
    const weighed = await weighReceipts(receipts, operatorKey, log, judge);
    weighContributions(contributions, known, judge);
    return { tickets: held, receipts: weighed };
  }

  Object.assign(fairdeal, { decodeReceipt, weighReceipt, checkReceipt, weighEvidence });
}
