// Cards to pick instead of typing: each press adds one, and takes it away again when the packs have no more of it. What
// is picked stands in the text field, which stays the only place that holds the cards.

{
  const { el, byId } = page;
  const SUIT_NAMES = ['Clubs', 'Diamonds', 'Hearts', 'Spades'];
  const FIRST_JOKER = 52;
  const buttons = new Map();
  let most = 1;

  /** The cards in the text field, or null where it cannot be read. */
  const current = () => {
    try {
      return fairdeal.parseCards(byId('cards').value);
    } catch {
      return null;
    }
  };

  const pick = (face) => {
    const held = current() ?? [];
    const others = held.filter((one) => one !== face);
    const copies = held.length - others.length;
    const picked = copies < most ? [...held, face] : others;
    byId('cards').value = fairdeal.cardsText(picked.sort((left, right) => left - right));
    byId('cards').dispatchEvent(new Event('input', { bubbles: true }));
  };

  const cardButton = (face) => {
    const made = page.button(page.cardSign(face), () => pick(face), {
      class: page.isRed(face) ? 'pick red' : 'pick',
      'aria-label': page.cardWords(face),
      'aria-pressed': 'false',
    });
    buttons.set(face, made);
    return made;
  };

  const group = (label, faces) =>
    el('div', { role: 'group', 'aria-label': label, class: 'suit' }, faces.map(cardButton));

  /** Shows in the buttons what the text field holds; `packs` says how often a card can be picked. */
  page.showPicked = (packs) => {
    most = packs;
    const held = current() ?? [];
    for (const [face, made] of buttons) {
      const copies = held.filter((one) => one === face).length;
      made.setAttribute('aria-pressed', String(copies > 0));
      made.setAttribute('aria-label', page.cardWords(face) + (copies > 1 ? `, ${copies} of it` : ''));
      made.textContent = page.cardSign(face) + (copies > 1 ? ` \u00d7${copies}` : '');
    }
  };

  page.buildPicker = () => {
    const suits = SUIT_NAMES.map((name, suit) =>
      group(
        name,
        Array.from({ length: 13 }, (_, rank) => 4 * rank + suit),
      ),
    );
    page.fill(byId('picker'), suits, group('Jokers', [FIRST_JOKER, FIRST_JOKER + 1]));
  };
}
