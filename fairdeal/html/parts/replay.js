// Stepping through the match: buttons, slider, keys, the list of steps, and the way to every finding.

{
  const { element, match } = replay;
  const BLIND = 'From the fault on the hands are not known; this is what the log says.';
  const PAUSE = 1000; // between two steps while it plays
  const stage = document.getElementById('stage');
  const now = { position: 0, listed: null, playing: null };

  const range = { type: 'range', min: 0, max: replay.length - 1, step: 1, 'aria-label': 'step of the match' };
  const parts = {
    story: element('p', { class: 'story', role: 'status' }),
    table: element('div', {}),
    finding: element('div', { class: 'at-fault' }),
    list: element('ol', { class: 'steps', 'aria-label': 'steps of this round' }),
    slider: element('input', range),
    rounds: element('select', { 'aria-label': 'round' }),
    play: null,
  };

  const spot = () => replay.spot(now.position);
  const go = (position) => {
    now.position = Math.min(Math.max(position, 0), replay.length - 1);
    draw();
  };
  const step = (by) => go(now.position + by);

  /** Goes to the round `by` further; back from within a round is to its own beginning first. */
  const stepRound = (by) => {
    const { round, frame } = spot();
    const to = by < 0 && frame > 0 ? round : round + by;
    if (to >= replay.rounds.length) go(replay.length - 1);
    else go(replay.position(Math.max(to, 0), 0));
  };

  const stepTrick = (by) => {
    const all = [spot().round - 1, spot().round, spot().round + 1]
      .filter((round) => replay.rounds[round])
      .flatMap((round) => replay.leads(replay.rounds[round]).map((frame) => replay.position(round, frame)));
    const next = by > 0 ? all.find((one) => one > now.position) : all.findLast((one) => one < now.position);
    if (next === undefined) stepRound(by);
    else go(next);
  };

  const marks = match.findings.map((one) => replay.position(one.round, one.frame));
  const stepFinding = (by) => {
    const sorted = [...new Set(marks)].sort((one, other) => one - other);
    const next = by > 0 ? sorted.find((one) => one > now.position) : sorted.findLast((one) => one < now.position);
    if (next !== undefined) go(next);
  };

  const pause = () => {
    clearTimeout(now.playing);
    now.playing = null;
    parts.play.textContent = '\u25b6\ufe0e Play';
  };
  const playOn = () => {
    if (now.position >= replay.length - 1) return pause();
    step(1);
    now.playing = setTimeout(playOn, PAUSE);
    return undefined;
  };
  const playOrPause = () => {
    if (now.playing !== null) return pause();
    if (now.position >= replay.length - 1) now.position = 0;
    parts.play.textContent = '\u2759\u2759 Pause';
    now.playing = setTimeout(playOn, 0);
    return undefined;
  };

  // Whoever steps by hand has stopped the playing.
  const byHand = (act) => () => {
    if (now.playing !== null) pause();
    act();
  };
  const button = (sign, words, act, key) => {
    const made = element('button', { type: 'button', 'aria-label': words, title: `${words} (${key})` }, sign);
    made.addEventListener('click', byHand(act));
    return made;
  };

  const KEYS = {
    ArrowLeft: byHand(() => step(-1)),
    ArrowRight: byHand(() => step(1)),
    ArrowUp: byHand(() => stepTrick(-1)),
    ArrowDown: byHand(() => stepTrick(1)),
    PageUp: byHand(() => stepRound(-1)),
    PageDown: byHand(() => stepRound(1)),
    Home: byHand(() => go(0)),
    End: byHand(() => go(replay.length - 1)),
    n: byHand(() => stepFinding(1)),
    p: byHand(() => stepFinding(-1)),
    ' ': playOrPause,
  };

  /** Whether the replay may take a key: it has the focus, or nothing has and it stands in the middle of the window. */
  const listens = (target) => {
    if (stage.contains(target)) return true;
    const { top, bottom } = stage.getBoundingClientRect();
    const middle = window.innerHeight / 2;
    return target === document.body && top < middle && bottom > middle;
  };
  const onKey = (event) => {
    const act = KEYS[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || !listens(event.target)) return;
    const own = event.target.localName === 'select' || (event.key === ' ' && event.target.localName === 'button');
    if (own) return;
    event.preventDefault();
    act();
  };

  const controls = () => {
    const attributes = { type: 'button', class: 'primary', title: 'play or pause (space)' };
    parts.play = element('button', attributes, '\u25b6\ufe0e Play');
    parts.play.addEventListener('click', playOrPause);
    const steps = [
      button('|\u25c0\ufe0e', 'first step', () => go(0), 'Home'),
      button('\u25c0\ufe0e', 'previous step', () => step(-1), 'arrow left'),
      parts.play,
      button('\u25b6\ufe0e', 'next step', () => step(1), 'arrow right'),
      button('\u25b6\ufe0e|', 'last step', () => go(replay.length - 1), 'End'),
    ];
    const leaps = [
      button('\u2039 round', 'previous round', () => stepRound(-1), 'page up'),
      button('round \u203a', 'next round', () => stepRound(1), 'page down'),
      button('\u2039 trick', 'previous trick', () => stepTrick(-1), 'arrow up'),
      button('trick \u203a', 'next trick', () => stepTrick(1), 'arrow down'),
    ];
    if (marks.length) {
      leaps.push(button('\u2039 \u2717', 'previous finding', () => stepFinding(-1), 'p'));
      leaps.push(button('\u2717 \u203a', 'next finding', () => stepFinding(1), 'n'));
    }
    parts.slider.addEventListener('input', byHand(() => go(Number(parts.slider.value))));
    const track = element('div', { class: 'track' }, parts.slider, ticks());
    const groups = [steps, leaps].map((group) => element('div', { class: 'buttons' }, group));
    return element('div', { class: 'controls' }, track, element('div', { class: 'groups' }, groups));
  };

  /** Where on the slider the findings are. */
  const ticks = () =>
    marks.map((position) => {
      const tick = element('span', { class: 'tick', 'aria-hidden': 'true' });
      const share = position / Math.max(replay.length - 1, 1);
      tick.style.left = `calc(8px + ${share} * (100% - 16px))`; // the slider's thumb keeps within its ends
      return tick;
    });

  const chooser = () => {
    const options = replay.rounds.map((round, value) => element('option', { value }, `Round ${round.number}`));
    parts.rounds.append(...options);
    parts.rounds.addEventListener('change', byHand(() => go(replay.position(Number(parts.rounds.value), 0))));
    return element('div', { class: 'bar' }, parts.rounds, parts.story);
  };

  const stepLine = (round, frame, words) => {
    const sign = replay.findingsAt(round.index, frame).length ? element('span', { class: 'bad' }, '\u2717 ') : null;
    const made = element('button', { type: 'button', 'data-frame': frame, tabindex: -1 }, sign, words);
    made.addEventListener('click', byHand(() => go(replay.position(round.index, frame))));
    return element('li', {}, made);
  };

  /** Fills the list with the steps of a round, a heading before each trick. */
  const list = (round) => {
    const leads = replay.leads(round);
    const lines = [stepLine(round, 0, 'deal')];
    round.steps.forEach((one, index) => {
      const trick = leads.indexOf(index + 1);
      if (trick >= 0) lines.push(element('li', { class: 'trick' }, `Trick ${trick + 1}`));
      lines.push(stepLine(round, index + 1, replay.stepWords(one)));
    });
    if (round.end) lines.push(stepLine(round, round.frames - 1, 'end of the round'));
    parts.list.replaceChildren(...lines);
  };

  /** Marks the current line, the only one that the tab key stops at: the arrows lead to the others. */
  const markLine = (frame) => {
    const before = parts.list.querySelector('[aria-current]');
    before?.removeAttribute('aria-current');
    before?.setAttribute('tabindex', '-1');
    const line = parts.list.querySelector(`[data-frame="${frame}"]`);
    line.setAttribute('aria-current', 'step');
    line.setAttribute('tabindex', '0');
    if (before === document.activeElement) line.focus({ preventScroll: true });
    const middle = line.offsetTop - (parts.list.clientHeight - line.offsetHeight) / 2;
    parts.list.scrollTop = Math.max(middle, 0);
  };

  /** Shows what the report says of the findings at this step: the same words, taken from where they stand above. */
  const drawFindings = (round, frame, state) => {
    const boxes = replay.findingsAt(round.index, frame).map((one) => {
      const facts = document.querySelector(`#finding-${one.id} .facts`).cloneNode(true);
      const link = element('a', { href: `#finding-${one.id}` }, `Finding ${one.id}`);
      const head = element('p', {}, '\u2717 ', link, ': ', element('code', {}, one.code));
      return element('div', { class: 'panel finding refutes' }, head, facts);
    });
    if (!state.hands && round.hands && frame > 0 && !state.end) boxes.push(element('p', { class: 'panel' }, BLIND));
    parts.finding.replaceChildren(...boxes);
  };

  const draw = () => {
    const { round: index, frame } = spot();
    const round = replay.rounds[index];
    const state = replay.stateAt(index, frame);
    if (now.listed !== index) list(round);
    now.listed = index;
    parts.table.replaceChildren(replay.table(round, frame, state));
    parts.story.textContent = replay.sentence(round, frame, state);
    parts.slider.value = now.position;
    parts.slider.setAttribute('aria-valuetext', `round ${round.number}, step ${frame} of ${round.frames - 1}`);
    parts.rounds.value = index;
    drawFindings(round, frame, state);
    markLine(frame);
  };

  const showFinding = (id) => {
    const at = match.findings.findIndex((one) => one.id === id);
    if (now.playing !== null) pause();
    go(marks[at]);
    stage.focus({ preventScroll: true });
    document.getElementById('replay').scrollIntoView();
  };

  const hint =
    'Keys: left and right for steps, up and down for tricks, page up and page down for rounds, Home and End, ' +
    'space to play' +
    (marks.length ? ', n and p for the next and previous finding.' : '.');
  const board = element('div', { class: 'board' }, parts.table, controls(), parts.finding);
  stage.tabIndex = -1;
  stage.replaceChildren(
    chooser(),
    element('div', { class: 'scene' }, board, parts.list),
    element('p', { class: 'quiet keys' }, hint),
  );
  document.addEventListener('keydown', onKey);
  for (const show of document.querySelectorAll('button.show')) {
    show.hidden = false;
    show.addEventListener('click', () => showFinding(Number(show.dataset.finding)));
  }
  draw();
}
