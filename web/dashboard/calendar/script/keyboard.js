// Keyboard control: one Tab stop, then arrow keys, Space, Enter and Escape.
{
  const { grid, days, clocks, snap, sameClock, showGhost, clear, say, book, move, isLifted } = window.desk;
  /** What is selected or picked up: `{slot, from, day, start, end}`; a free time has no slot. */
  let held = null;

  const items = (day) =>
    [...day.querySelectorAll('a.free, a.slot, .part a')].toSorted((a, b) => boxTop(a) - boxTop(b));
  const boxTop = (item) => item.getBoundingClientRect().top;

  /** Tab reaches one item only: the one that had the focus last. */
  const rove = (to = grid.querySelector('section .day a')) => {
    for (const each of grid.querySelectorAll('section .day a')) each.tabIndex = -1;
    if (to) to.tabIndex = 0;
  };
  const goTo = (item) => {
    if (!item) return;
    rove(item);
    item.focus();
    item.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };

  const beside = (day, by) => days()[days().indexOf(day) + by];

  function go(item, key) {
    const day = item.closest('.day');
    const list = items(day);
    const index = list.indexOf(item);
    if (key === 'ArrowDown') return goTo(list[index + 1]);
    if (key === 'ArrowUp') return goTo(list[index - 1]);
    const other = beside(day, key === 'ArrowRight' ? 1 : -1);
    const near = (each) => Math.abs(boxTop(each) - boxTop(item));
    return goTo(other && items(other).toSorted((a, b) => near(a) - near(b))[0]);
  }

  const showHeld = () => {
    showGhost(held.day, held);
    say(`${held.day.dataset.name}, ${clocks(held.day, held)}`);
  };
  const letGo = (text) => {
    held = null;
    clear();
    if (text) say(text);
  };

  /** Picks up a booking, or announces why it cannot be moved. */
  function pickUp(slot) {
    if (!slot.dataset.moves) return say(slot.dataset.fixed);
    const day = slot.closest('.day');
    const times = { start: Number(slot.dataset.start), end: Number(slot.dataset.end) };
    held = { slot, from: day, day, ...times };
    slot.classList.add('lifted');
    showGhost(day, held);
    say(
      `Picked up, ${clocks(day, held)}. Arrow keys move it, Shift and arrow keys change its end. Enter ` +
        'shows the price, Escape puts it back.',
    );
  }

  /** Moves the end of the booking that is picked up, or of the free time that is selected. */
  function lengthen(item, by) {
    const day = item.closest('.day');
    held ??= { day, start: Number(item.dataset.start), end: Number(item.dataset.end) };
    const end = snap(held.day, held.end + by * Number(held.day.dataset.step));
    if (end > held.start) held.end = end;
    showHeld();
  }

  function shift(by) {
    if (held.slot.dataset.moves === 'end') return lengthen(held.slot, by);
    const start = snap(held.day, held.start + by * Number(held.day.dataset.step));
    held.end += start - held.start;
    held.start = start;
    return showHeld();
  }

  /** Moves the booking that is picked up to the next room or day, at the same local time. */
  function across(by) {
    const day = beside(held.day, by);
    if (!day || held.slot.dataset.moves === 'end') return;
    const start = sameClock(held.day, held.start, day);
    held = { ...held, day, start, end: start + (held.end - held.start) };
    showHeld();
  }

  function confirm() {
    const { slot, from, day, start, end } = held;
    held = null;
    if (!slot) return book(day, { start, end });
    const stays = day === from && start === Number(slot.dataset.start) && end === Number(slot.dataset.end);
    return stays ? letGo('Moved back.') : move(slot, day, { start, end });
  }

  const ARROWS = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1 };

  grid.addEventListener('keydown', (event) => {
    const item = event.target.closest('section .day a');
    const { key, shiftKey } = event;
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const isVertical = key === 'ArrowUp' || key === 'ArrowDown';
    if (key in ARROWS) {
      event.preventDefault();
      if (shiftKey && isVertical && item.dataset.start && !item.dataset.fixed) {
        if (item.matches('.slot') && !held) pickUp(item);
        lengthen(item, ARROWS[key]);
      } else if (!held?.slot) {
        if (held) letGo();
        go(item, key);
      } else if (isVertical) shift(ARROWS[key]);
      else across(ARROWS[key]);
    } else if (key === ' ' && item.matches('.slot')) {
      event.preventDefault();
      if (held) confirm();
      else pickUp(item);
    } else if (key === 'Enter' && held) {
      event.preventDefault();
      confirm();
    } else if (key === 'Escape' && held) letGo('Moved back.');
    else if (key === 'Tab' && isLifted()) letGo();
  });

  document.querySelector('#keys').hidden = false;
  Object.assign(window.desk, { rove });
  rove();
}
