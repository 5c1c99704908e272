// What the core of the page finds in logs: `node logs.mjs PAGE.html`. Each line of standard input is an object with
// `log`, its bytes in hexadecimal, and `given`, what is held against it; each line of the answer has the `verdict`, the
// `findings` as [code, place], the `states` of the checks, and of each round the `hands` by seat.

import { readFileSync } from 'node:fs';
import { coreOf } from './core.mjs';

const { checkLog, fromHex } = coreOf(process.argv[2]);

for (const line of readFileSync(0, 'utf-8').split('\n').filter(Boolean)) {
  const { log, given } = JSON.parse(line);
  const { verdict, findings, checks, rounds } = await checkLog(fromHex(log), given);
  const told = {
    verdict,
    findings: findings.map(({ code, place }) => [code, place]),
    states: Object.fromEntries(checks.map(({ id, state }) => [id, state])),
    hands: rounds.map(({ hands }) => hands),
  };
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
