// The last part: everything is there, so the page begins.

{
  const blocked = fairdeal.cryptoMissing() !== '';
  page.byId('blocked').hidden = !blocked;
  for (const id of ['check', 'open']) page.byId(id).disabled = blocked;
  if (!blocked) {
    page.buildPicker();
    page.startForm();
    page.startLog();
    page.readFragment();
  }
}
