// The drawer of the calendar. It fetches pages of the dashboard and shows their forms; the
// server decides everything.
{
  const dialog = document.querySelector('#desk');
  const title = dialog.querySelector('h2');
  const content = dialog.querySelector('.content');
  const said = document.querySelector('#said');
  const outcome = document.querySelector('#outcome');
  /** The dialog confirms a drag, so there is no form to return to. */
  let isDropped = false;

  const say = (text) => {
    said.textContent = text;
  };

  function show(heading, ...nodes) {
    title.textContent = heading;
    content.replaceChildren(...nodes.filter(Boolean));
    content.removeAttribute('aria-busy');
    if (!dialog.open) dialog.showModal();
    content
      .querySelector('[aria-invalid], [autofocus], .confirmation button, select, input:not([type=hidden])')
      ?.focus();
  }

  function showMessage(text) {
    const message = document.createElement('p');
    message.className = 'alert';
    message.setAttribute('role', 'alert');
    message.textContent = text;
    return message;
  }

  const close = () => dialog.close();

  /** Fetches a page. Null if the session has ended: the browser then navigates to the page. */
  async function load(path, options) {
    const answer = await fetchPage(path, options);
    if (new URL(answer.response.url).pathname.startsWith('/dashboard/')) return answer;
    location.reload();
    return null;
  }

  const readHeading = (page) => page.querySelector('h1')?.textContent ?? '';
  const formFor = (page, path) =>
    [...page.querySelectorAll('form')].find((form) => form.getAttribute('action') === path);

  /** Shows what the server answered to a form. */
  async function receive({ response, page }, path) {
    const confirmation = page.querySelector('.confirmation');
    if (confirmation) return show(readHeading(page), confirmation);
    const trouble = page.querySelector('main > .trouble');
    if (response.redirected && response.ok && !trouble) return finish(response, page);
    const refusal =
      trouble ?? showMessage(page.querySelector('[role=alert]')?.textContent ?? readHeading(page));
    if (isDropped) {
      say(`Nothing has changed. ${refusal.textContent}`);
      return show('Nothing has changed', refusal);
    }
    return show(readHeading(page), response.ok && !trouble ? null : refusal, formFor(page, path));
  }

  async function finish(response, page) {
    const notice = page.querySelector('.notice')?.textContent ?? 'Done.';
    const link = document.createElement('a');
    link.href = new URL(response.url).pathname;
    link.textContent = 'Open booking';
    outcome.replaceChildren(`${notice} `, link);
    close();
    await window.desk.refresh();
    outcome.hidden = false;
    say(notice);
  }

  /** Runs a step while the dialog shows that it waits. Without a response, the outcome is unknown. */
  async function waiting(step) {
    if (content.getAttribute('aria-busy')) return;
    content.setAttribute('aria-busy', 'true');
    try {
      await step();
    } catch {
      show(
        'No response',
        showMessage('The service did not respond. Reload the calendar to check the result.'),
      );
    } finally {
      content.removeAttribute('aria-busy');
    }
  }

  const post = async (form) => {
    const path = form.getAttribute('action');
    outcome.hidden = true;
    const answer = await load(path, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    if (answer) await receive(answer, path);
  };

  /** Shows a part of a page, such as its form. */
  const open = (path, part) =>
    waiting(async () => {
      isDropped = false;
      const answer = await load(path);
      if (!answer) return;
      const { page } = answer;
      const shown = [...page.querySelectorAll(part)];
      show(
        readHeading(page),
        ...(shown.length > 0 ? shown : page.querySelectorAll('main > p, [role=alert]')),
      );
    });

  /** Shows what a click on a booking needs. */
  const openBooking = (path) => open(`${path}/summary`, 'main > .summary');

  /** Sends the form of a page with its current values, and shows the confirmation with the amounts. */
  const drop = (path) =>
    waiting(async () => {
      isDropped = true;
      const answer = await load(path);
      if (!answer) return;
      const form = answer.page.querySelector('main form.card');
      if (form) await post(form);
      else await receive(answer, path);
    });

  dialog.addEventListener('submit', (event) => {
    // Not `.method`: a form may have a field of that name.
    if (event.target.getAttribute('method') !== 'post') return;
    event.preventDefault();
    const isBack = event.target.elements.confirmed?.value === 'no';
    if (isBack && isDropped) close();
    else waiting(() => post(event.target));
  });
  dialog.addEventListener('click', (event) => {
    const link = event.target.closest('a.button');
    const isBeside = event.target === dialog && event.clientX < dialog.getBoundingClientRect().left;
    if (isBeside || event.target.closest('#desk > header .close')) close();
    else if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    else if (link.pathname.endsWith('/change')) {
      event.preventDefault();
      open(link.pathname, 'main > form.card');
    }
  });
  dialog.addEventListener('close', () => {
    content.replaceChildren();
    window.desk.clear();
  });

  window.desk = { dialog, say, load, open, openBooking, drop };
}
