// A week or a month of rooms as the server has drawn it.
{
  const board = document.querySelector('#board');
  const { dialog, load } = window.desk;
  const REFRESH_MS = 60_000;

  /** Draws it again from the server. */
  async function refresh() {
    const answer = await load(board.dataset.self).catch(() => null);
    const next = answer?.page.querySelector('#board');
    if (!next) return;
    const { activeElement } = document;
    const href = board.contains(activeElement) && activeElement.getAttribute('href');
    board.replaceChildren(...next.childNodes);
    if (href) [...board.querySelectorAll('a')].find((each) => each.getAttribute('href') === href)?.focus();
  }

  setInterval(() => {
    if (!dialog.open && document.visibilityState === 'visible') refresh();
  }, REFRESH_MS);

  Object.assign(window.desk, { refresh, clear: () => {} });
}
