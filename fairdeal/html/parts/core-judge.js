// SPEC "What an auditor checks", 1 to 5: what is found, and all that stands before the first deal.
{
  const { badKeys, contradictions, contributors, equal, range, schedule, seal, signedMessage, signerName } = fairdeal;
  const { sha256, signaturesMissing, signingKeys, toHex, transcript, verifySignature } = fairdeal;
  const RULES_NEEDED = 'the page does not know the rules of play: use fairdeal audit';

  /** The checks in the order of their numbers, and which of them need the rules of the game. */
  const CHECKS = [
    ['order', 'order of records'],
    ['terms', 'terms'],
    ['commitment', 'commitment'],
    ['contributions', 'contributions'],
    ['signatures', 'signatures'],
    ['seeds', 'seeds'],
    ['deals', 'deals'],
    ['exchanges', 'exchanges', RULES_NEEDED],
    ['plays', 'plays', RULES_NEEDED],
    ['clock', 'clock, seats and bots', RULES_NEEDED],
    ['places', 'finishing places', RULES_NEEDED],
    ['titles', 'titles', RULES_NEEDED],
    ['points', 'points', RULES_NEEDED],
    ['close', 'close'],
    ['evidence', 'evidence'],
  ];
  // Codes that refute nothing.
  const INCOMPLETE = new Set([
    'unfinished', 'void', 'signature-missing', 'ticket-terms', 'receipt-terms', 'receipt-beyond', 'receipt-signature',
  ]);

  /** A value as a finding shows it. */
  function show(value) {
    if (value instanceof Uint8Array) return toHex(value) || 'nothing';
    if (Array.isArray(value)) return value.map(show).join(', ') || 'nothing';
    return String(value ?? 'nothing');
  }

  /** Collects findings, and for every check what passed and what could not be looked at. */
  class Judge {
    constructor() {
      this.findings = [];
      this.checks = CHECKS.map(([id, name, reason], at) => {
        const skipped = reason ? [reason] : [];
        return { id, number: at + 1, name, state: '', detail: '', findings: [], passed: 0, skipped };
      });
    }

    check(id) {
      return this.checks.find((check) => check.id === id);
    }

    passed(id, times = 1) {
      this.check(id).passed += times;
    }

    fault(id, code, place, expected, found) {
      const finding = { code, place, expected: show(expected), found: show(found) };
      this.findings.push(finding);
      this.check(id).findings.push(finding);
    }

    skipped(id, reason) {
      const { skipped } = this.check(id);
      if (!skipped.includes(reason)) skipped.push(reason);
    }

    /** Counts a pass where two values are shown alike, else keeps a finding; returns whether they are. */
    compare(id, code, place, expected, found) {
      const same = show(expected) === show(found);
      if (same) this.passed(id);
      else this.fault(id, code, place, expected, found);
      return same;
    }

    /** The checks with their states: what is not wholly checked has not passed. */
    settled() {
      for (const check of this.checks) {
        const refuted = check.findings.some(({ code }) => !INCOMPLETE.has(code));
        const open = check.findings.length + check.skipped.length > 0 || check.passed === 0;
        check.state = refuted ? 'failed' : open ? 'not checked' : 'passed';
        const detail = [
          ...check.findings.map(({ place, expected, found }) => `${place}: expected ${expected}; found ${found}`),
          ...check.skipped.map((reason) => `not checked: ${reason}`),
        ];
        check.detail = detail.join('\n') || (check.passed > 0 ? `${check.passed} passed` : 'nothing to check');
      }
      return this.checks;
    }
  }

  // ---- 2 to 4

  function judgeTerms({ terms }, judge) {
    const faults = contradictions(terms).map((why) => ['terms', 'terms', 'rules that can be played', why]);
    for (const [signer, code, hex] of badKeys(terms)) {
      faults.push([code, `terms.key[${signerName(signer)}]`, 'a key of its own that is not weak', hex]);
    }
    faults.forEach((fault) => judge.fault('terms', ...fault));
    if (faults.length === 0) judge.passed('terms');
  }

  /** All seeds, if the secret that is revealed makes the commitment; else null. */
  async function judgeCommitment({ terms, termsHash, records, parts }, judge) {
    const place = 'commitment';
    if (!parts.commitment) {
      if (records.length > 0) judge.fault(place, 'commitment-missing', place, 'a commitment after the terms', null);
      return null;
    }
    if (!parts.close) {
      judge.skipped(place, 'the match secret is revealed only when the match closes');
      return null;
    }
    const made = await schedule(parts.close.record.secret, termsHash, terms.rounds);
    return judge.compare(place, 'commitment', 'close.secret', parts.commitment, made.commitment) ? made : null;
  }

  /** Whether a sealed or opened value counts: its seat owes one and this is its first, be it another seat's too. */
  function counts(judge, place, seat, value, due, known) {
    const fault = (code, expected, found) => judge.fault('contributions', code, place, expected, found);
    if (!due.includes(seat)) fault('contribution-unexpected', 'only seats that owe one', `one of seat ${seat}`);
    else if (known.has(seat)) fault('contribution-repeated', 'one of each seat', 'a second');
    else {
      if ([...known.values()].some((other) => equal(other, value))) {
        fault('contribution-repeated', 'a value of its own', value);
      }
      return true;
    }
    return false;
  }

  /** The opened value of every seat that owes one, by seat. */
  async function judgeContributions({ terms, termsHash, parts }, judge) {
    const check = 'contributions';
    const due = contributors(terms);
    const seals = new Map();
    const values = new Map();
    for (const one of parts.sealed) {
      if (counts(judge, `sealed[${one.seat}]`, one.seat, one.seal, due, seals)) seals.set(one.seat, one.seal);
    }
    for (const { seat, contribution } of parts.opened) {
      const place = `opened[${seat}]`;
      if (parts.early.has(seat)) judge.fault(check, 'contribution-early', place, 'opened after all seals', 'before');
      if (!counts(judge, place, seat, contribution, due, values)) continue;
      values.set(seat, contribution);
      if (!seals.has(seat) || !parts.commitment) continue;
      const made = await seal(termsHash, parts.commitment, seat, contribution);
      judge.compare(check, 'contribution-opening', place, seals.get(seat), made);
    }
    const missing = due.filter((seat) => !seals.has(seat) || !values.has(seat));
    if (parts.rounds.length === 0) {
      if (missing.length > 0) judge.skipped(check, 'not every seat has sealed and opened its contribution');
    } else {
      for (const seat of missing) {
        judge.fault(check, 'contribution-missing', `opened[${seat}]`, 'a contribution before the deal', null);
      }
    }
    if (due.length === 0) judge.passed(check);
    return values;
  }

  // ---- 5

  /** Checks the signatures of one group, all over the bytes before an offset. */
  async function judgeSignatures({ bytes, terms, termsHash }, signatures, offset, group, judge) {
    const check = 'signatures';
    const keys = signingKeys(terms);
    const digest = await sha256(bytes.subarray(0, offset));
    const missing = signatures.length > 0 ? await signaturesMissing() : '';
    if (missing) judge.skipped(check, missing);
    for (const { signer, signature } of signatures) {
      const place = `${group}.signature[${signerName(signer)}]`;
      const fault = (code, expected, found) => judge.fault(check, code, place, expected, found);
      const key = keys.get(signer);
      const message = signedMessage(termsHash, signer, offset, digest);
      if (!key) fault('signature-unexpected', 'a signer whose key is known', signerName(signer));
      else if (missing) continue;
      else if (await verifySignature(key, signature, message)) judge.passed(check);
      else fault('signature-bad', `a signature of the first ${offset} bytes`, 'one that does not fit');
    }
  }

  async function judgeLock(log, judge) {
    const { lockSignatures, lockSigned, close, opened, rounds } = log.parts;
    await judgeSignatures(log, lockSignatures, lockSigned, 'lock', judge);
    const keys = signingKeys(log.terms);
    const missing = [...keys.keys()].filter((signer) => lockSignatures.every((one) => one.signer !== signer));
    const void_ = close !== null && close.record.reason !== 'by-rule';
    if (missing.length > 0 && void_ && opened.length + rounds.length === 0) {
      judge.skipped('signatures', 'the match was closed before the lock was signed');
      return;
    }
    for (const signer of missing) {
      const place = `lock.signature[${signerName(signer)}]`;
      judge.fault('signatures', 'signature-missing', place, 'a signature of the lock', null);
    }
    if (keys.size === 0) judge.passed('signatures');
  }

  /** Checks 1 to 5 as far as the first deal; returns what rounds need: all seeds or null, values opened, T or null. */
  async function judgeOpening(log, judge) {
    const { terms, termsHash, parts } = log;
    for (const { place, type, start } of parts.misplaced) {
      judge.fault('order', 'order', place, 'a record that belongs there', `${type} at byte ${start}`);
    }
    judge.passed('order', parts.misplaced.length === 0 ? 1 : 0);
    judgeTerms(log, judge);
    const tree = await judgeCommitment(log, judge);
    const opened = await judgeContributions(log, judge);
    await judgeLock(log, judge);
    const complete = parts.commitment && contributors(terms).every((seat) => opened.has(seat));
    const values = range(terms.seats.length).map((seat) => opened.get(seat) ?? new Uint8Array(0));
    return { tree, opened: values, made: complete ? await transcript(termsHash, parts.commitment, values) : null };
  }

  Object.assign(fairdeal, { INCOMPLETE, Judge, judgeOpening, judgeSignatures });
}
