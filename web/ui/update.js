const main = document.querySelector('main');
const pause = Number(main.dataset.waits) * 1000;
async function look() {
  try {
    const response = await fetch(location.href, { cache: 'no-store' });
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    const shown = next.querySelector('main');
    if (response.ok && shown && !('waits' in shown.dataset)) {
      document.title = next.title;
      main.replaceChildren(...shown.childNodes);
      return;
    }
  } catch {
    // Offline, or the service is restarting.
  }
  setTimeout(look, pause);
}
setTimeout(look, pause);
