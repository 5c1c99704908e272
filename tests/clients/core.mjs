// The core of the page as the clients here use it: taken out of a page as it was assembled, so that what a browser runs
// is what is tested, or put together from its parts.

import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';

// The rest of the page's script needs a document.
const CORE_ENDS = '// The core ends here.';
const SCRIPT = /<script>([^]*)<\/script>\s*<\/body>/;
const FOLDER = new URL('../../fairdeal/html/parts/', import.meta.url);
const PARTS = [
  'bytes', 'hash', 'deal', 'pack', 'ticket', 'terms', 'place', 'log', 'judge', 'check', 'evidence', 'api',
];

function script(path) {
  if (path !== undefined) return SCRIPT.exec(readFileSync(path, 'utf-8'))?.[1] ?? '';
  return PARTS.map((name) => readFileSync(new URL(`core-${name}.js`, FOLDER), 'utf-8')).join('\n');
}

/** The object `fairdeal` of the page at a path, or of the parts. */
export function coreOf(path) {
  const [core, ...rest] = script(path).split(CORE_ENDS);
  if (rest.length !== 1) throw new Error(`${path ?? FOLDER}: no script with one core in it`);
  runInThisContext(core);
  return globalThis.fairdeal;
}
