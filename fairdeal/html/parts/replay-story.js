// What happened in words and cards: for the seats, the list of steps and the line that is read aloud.

{
  const RANKS = ['3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A', '2'];
  const RANK_WORDS = { J: 'jack', Q: 'queen', K: 'king', A: 'ace' };
  // The variation selector asks for the plain sign where a system would draw a small picture.
  const SUITS = ['\u2663\ufe0e', '\u2666\ufe0e', '\u2665\ufe0e', '\u2660\ufe0e'];
  const SUIT_WORDS = ['clubs', 'diamonds', 'hearts', 'spades'];
  const FIRST_JOKER = 52;
  const LEVELS = { e: 'an easy bot', m: 'a medium bot', h: 'a hard bot', b: 'a bot' };
  const CLOSINGS = {
    p: 'nobody else answers',
    t: 'twos end the trick',
    b: 'the match of the same rank ends the trick',
    c: 'the rank is complete, which ends the trick',
    w: 'the joker sweeps the pile away',
  };
  const ENDINGS = ['th', 'st', 'nd', 'rd'];

  const { match } = replay;

  /** A new element; children are nodes or texts, what is null or false among them is left out. */
  replay.element = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value !== null && value !== false) made.setAttribute(name, value === true ? '' : value);
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
    return made;
  };
  const { element } = replay;

  /** The name of a seat, set apart so that its direction of writing changes nothing around it. */
  replay.nameOf = (seat) => element('bdi', {}, match.seats[seat]);

  /** A title in the language of the ruleset. */
  replay.titleOf = (title) => element('span', { lang: match.language }, element('bdi', {}, match.titles[title]));

  replay.ordinal = (place) => `${place}${ENDINGS[place] ?? "th"}`;

  /** One card; `mark` is a class for one that was just received or wrongly played. */
  replay.card = (face, mark = '') => {
    if (face >= FIRST_JOKER) {
      return element('span', { class: `card joker ${mark}`, title: `joker ${face - FIRST_JOKER + 1}` }, 'Joker');
    }
    const suit = face & 3;
    const red = suit === 1 || suit === 2 ? 'red' : '';
    const rank = RANKS[face >> 2];
    const title = `${RANK_WORDS[rank] ?? rank} of ${SUIT_WORDS[suit]}`;
    return element('span', { class: `card ${red} ${mark}`, title }, rank + SUITS[suit]);
  };

  /** Cards side by side; of `marked` each marks one card of its face. */
  replay.cards = (faces, marked = [], mark = 'new') => {
    const left = [...marked];
    const shown = faces.map((face) => {
      const at = left.indexOf(face);
      if (at >= 0) left.splice(at, 1);
      return replay.card(face, at >= 0 ? mark : '');
    });
    return element('span', { class: 'cards' }, shown);
  };

  /** Who plays a seat, by the letter of the data; nothing for a person who is there. */
  replay.playerWords = (letter) => {
    if (letter === 'p') return null;
    const level = LEVELS[letter.toLowerCase()];
    return letter === letter.toUpperCase() ? `left, ${level} plays on` : `played by ${level}`;
  };

  /** Tenths of a second as seconds. */
  replay.seconds = (tenths) => `${(tenths / 10).toFixed(1)} s`;

  const eventWords = (step) => {
    const name = replay.nameOf(step.seat);
    if (step.what === 'r') return [name, ' is back'];
    const gone = step.what === 'l' ? ' leaves for good; ' : ' loses the connection; ';
    return [name, gone, LEVELS[step.by] ?? 'nobody', ' plays on'];
  };

  /** A step as nodes: who did what. */
  replay.stepWords = (step) => {
    const name = replay.nameOf(step.seat);
    const clock = 'k' in step.effects ? ' (the clock)' : null;
    if (step.kind === 'e') return eventWords(step);
    if (step.kind === 'g') return [name, ' gives ', replay.nameOf(step.to), ' ', replay.cards(step.cards), clock];
    if (!step.cards.length) return [name, ' passes', clock];
    const straight = 'x' in step.effects ? ` straight up to ${step.effects.x}` : null;
    const plays = element('span', { class: 'heard' }, 'plays ');
    return [name, ' ', plays, replay.cards(step.cards), straight, clock];
  };

  /** What a step did besides, as a list of node lists. */
  replay.effectWords = (step) => {
    const { effects, seat } = step;
    const told = [];
    if ('o' in effects) told.push([replay.nameOf(seat), ` is out, ${replay.ordinal(Number(effects.o))}`]);
    if ('d' in effects) told.push([replay.nameOf(seat), ' is out with a forbidden card, behind all others']);
    if ('r' in effects) told.push(['revolution: the order is turned over']);
    if ('u' in effects) told.push(['the order is back to normal']);
    if ('s' in effects) told.push([replay.nameOf(Number(effects.s)), ' misses a turn']);
    if (step.closed) told.push([CLOSINGS[step.closed]]);
    return told;
  };

  /** Nodes as plain text, each name between the marks that end its direction of writing. */
  replay.plain = (nodes) => {
    const text = (node) => {
      if (typeof node === 'string') return node;
      if (node === null || node === undefined) return '';
      if (node.localName === 'bdi') return `\u2068${node.textContent}\u2069`;
      if (node.localName === 'span' && node.title) return `${node.title}, `;
      return [...node.childNodes].map((child) => (child.nodeType === 3 ? child.data : text(child))).join('');
    };
    return nodes.map(text).join('').replace(/, $/, '');
  };

  /** What a frame shows, in one sentence for who listens. */
  replay.sentence = (round, frame, state) => {
    const head = `Round ${round.number}`;
    if (frame === 0) return `${head} is dealt.`;
    if (!state.step) return `${head} ends.`;
    const trick = state.step.kind === 'a' && state.hands ? `, trick ${state.trick}` : '';
    const words = [replay.stepWords(state.step), ...replay.effectWords(state.step)].map(replay.plain).join('; ');
    return `${head}${trick}: ${words}${state.fault ? "; this is at fault" : ""}.`;
  };
}
