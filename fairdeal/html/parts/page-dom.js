// What the page is built with: elements from values, never from HTML. A text from outside becomes a text node, and a
// name from a log stands in a <bdi> of its own, so that its direction ends where it ends.

/** What the parts of the page share; each part adds to it and keeps the rest to itself. */
const page = {};

{
  const RANKS = ['3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A', '2'];
  const RANK_WORDS = { J: 'jack', Q: 'queen', K: 'king', A: 'ace' };
  // The variation selector asks for the plain sign where a system would draw a small picture.
  const SUITS = ['\u2663\ufe0e', '\u2666\ufe0e', '\u2665\ufe0e', '\u2660\ufe0e'];
  const SUIT_WORDS = ['clubs', 'diamonds', 'hearts', 'spades'];
  const FIRST_JOKER = 52;
  const SIGNS = { verified: '\u2713', passed: '\u2713', refuted: '\u2717', failed: '\u2717', 'no verdict': '!' };
  const TONES = { verified: 'good', passed: 'good', refuted: 'bad', failed: 'bad' };
  const COPIED_FOR = 2000;

  /** The words that the page was made with: titles of findings by code. */
  page.words = JSON.parse(document.getElementById('data').textContent);

  page.byId = (id) => document.getElementById(id);

  /** What is there of some children, lists among them opened: what is null, false or empty is left out. */
  const present = (children) => children.flat(Infinity).filter((child) => child || child === 0);

  /** A new element; children are nodes, texts, or lists of them. */
  page.el = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value !== null && value !== false) made.setAttribute(name, value === true ? '' : value);
    }
    made.append(...present(children));
    return made;
  };
  const { el } = page;

  /** Puts children in the place of all that an element holds. */
  page.fill = (parent, ...children) => parent.replaceChildren(...present(children));

  page.button = (text, act, attributes) => {
    const made = el('button', { type: 'button', ...attributes }, text);
    made.addEventListener('click', act);
    return made;
  };

  /** A text in fixed width that may break anywhere, such as a hash. */
  page.hex = (text) => el('code', { class: 'hex' }, text);

  /** The sign of a state or verdict; it always stands beside the word. */
  page.sign = (state) =>
    el('span', { class: `sign ${TONES[state] ?? 'open'}`, 'aria-hidden': 'true' }, SIGNS[state] ?? '\u25cb');

  page.tone = (state) => TONES[state] ?? 'open';

  /** Terms and descriptions; a description is a node, a text or a list of them. */
  page.facts = (...rows) =>
    el(
      'dl',
      { class: 'facts' },
      rows.filter(Boolean).map(([term, ...what]) => [el('dt', {}, term), el('dd', {}, ...what)]),
    );

  page.table = (label, heads, rows) =>
    el(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label },
      el(
        'table',
        {},
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            heads.map((head) => el('th', { scope: 'col' }, head)),
          ),
        ),
        el(
          'tbody',
          {},
          rows.map((cells) =>
            el(
              'tr',
              {},
              cells.map((cell) => el('td', {}, cell)),
            ),
          ),
        ),
      ),
    );

  /** A part that is closed at first; what it holds is made when it is opened for the first time. */
  page.folded = (summary, make, attributes) => {
    const made = el('details', attributes, el('summary', {}, summary));
    made.addEventListener(
      'toggle',
      () => made.open && made.childElementCount === 1 && made.append(...present([make()])),
    );
    return made;
  };

  page.cardSign = (face) =>
    face >= FIRST_JOKER ? `Joker ${face - FIRST_JOKER + 1}` : RANKS[face >> 2] + SUITS[face & 3];

  page.cardWords = (face) => {
    if (face >= FIRST_JOKER) return `joker ${face - FIRST_JOKER + 1}`;
    const rank = RANKS[face >> 2];
    return `${RANK_WORDS[rank] ?? rank} of ${SUIT_WORDS[face & 3]}`;
  };

  page.isRed = (face) => face < FIRST_JOKER && ((face & 3) === 1 || (face & 3) === 2);

  /** Cards side by side, signs for the eye and words for a screen reader. */
  page.cards = (faces, label = null) =>
    el(
      'ul',
      { class: 'cards', role: 'list', 'aria-label': label },
      faces.map((face) =>
        el(
          'li',
          { class: page.isRed(face) ? 'card red' : 'card' },
          el('span', { 'aria-hidden': 'true' }, page.cardSign(face)),
          el('span', { class: 'unseen' }, page.cardWords(face)),
        ),
      ),
    );

  page.counted = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;

  /** Faces of `left` that `right` does not have, copies counted. */
  page.without = (left, right) => {
    const rest = [...right];
    return left.filter((face) => {
      const at = rest.indexOf(face);
      if (at >= 0) rest.splice(at, 1);
      return at < 0;
    });
  };

  /** Puts a text on the clipboard; where the browser does not allow that, shows it selected to be copied by hand. */
  const copy = async (text, source) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const box = el('textarea', { class: 'tocopy', readonly: true, rows: '2', 'aria-label': 'Copy this text' });
      box.value = text;
      source.after(box);
      box.select();
      box.addEventListener('blur', () => box.remove());
      return false;
    }
  };

  page.copyButton = (label, text) => {
    const made = page.button(
      label,
      async () => {
        const done = await copy(text(), made);
        made.textContent = done ? 'Copied' : 'Copy the marked text';
        setTimeout(() => (made.textContent = label), COPIED_FOR);
      },
      { class: 'noprint', 'aria-live': 'polite' },
    );
    return made;
  };

  /** Shows a verdict and takes the focus to it, so that it is read out and scrolled to. */
  page.announce = (place, state, word, says, ...rest) => {
    const head = el('h3', { class: 'word', tabindex: '-1' }, page.sign(state), el('strong', {}, word));
    const known = { verified: 'verified', refuted: 'refuted' }[state] ?? 'undecided';
    page.fill(place, el('div', { class: `panel verdict ${known}` }, head, el('p', { class: 'says' }, says), ...rest));
    head.focus({ preventScroll: true });
    place.scrollIntoView({ block: 'start', behavior: 'auto' });
  };

  /** Does what may fail in ways that nobody foresaw: then there is no verdict, and the page says so. */
  page.guarded = async (place, act) => {
    try {
      await act();
    } catch (error) {
      const says = 'The page itself failed here, so nothing can be concluded.';
      page.announce(place, 'no verdict', 'No verdict', says, el('p', {}, el('bdi', {}, String(error))));
    }
  };

  /** The findings of a report with their titles, places, and what was expected and found. */
  page.findings = (findings) =>
    findings.length > 0 &&
    el(
      'ul',
      { class: 'findings' },
      findings.map(({ code, place, expected, found }) =>
        el(
          'li',
          {},
          el('p', {}, page.words.titles[code] ?? code, el('span', { class: 'quiet' }, ' (', el('code', {}, code), ')')),
          page.facts(
            place && ['Where', el('bdi', {}, place)],
            expected && ['Expected', el('bdi', { class: 'long' }, expected)],
            found && ['Found', el('bdi', { class: 'long' }, found)],
          ),
        ),
      ),
    );

  /** Checks that were left out for the same reason stand together. */
  const grouped = (checks) => {
    const groups = [];
    for (const { name, state, detail } of checks) {
      const why = detail
        .replace(/^\d+ passed$/, '')
        .replace(/^not checked: /, '')
        .replace(/,? not checked: /g, '; ');
      const last = groups.at(-1);
      if (state === 'not checked' && last?.state === state && last.why === why) last.names.push(name);
      else groups.push({ names: [name], state, why });
    }
    return groups;
  };

  /** The checks of a report one by one: sign, state in words, name, and why. Where one failed the findings say why. */
  page.checks = (checks) =>
    el(
      'ul',
      { class: 'checks' },
      grouped(checks).map(({ names, state, why }) =>
        el(
          'li',
          {},
          page.sign(state),
          el(
            'div',
            {},
            el('span', { class: 'name' }, names.join(', ')),
            ' ',
            el('span', { class: page.tone(state) }, state),
            state !== 'failed' && why && el('bdi', { class: 'detail' }, why),
          ),
        ),
      ),
    );
}
