// Free time is dragged to book it, a booking to move it, its edges to lengthen or shorten it.
{
  const { grid, calendar, days, timeAt, snap, buildQuery, showGhost, clear, open, drop } = window.desk;
  const home = grid.dataset.home;
  const EDGE_PX = 8;
  const FAR_PX = 4;
  const SCROLL_PX = 32;
  /** What the pointer holds: `{kind, slot, day, start, end, y, grabbed, moved}`. */
  let held = null;
  let isAfterDrag = false;

  const book = (day, times) => open(`${home}/book?${buildQuery(day, times)}`, 'main > form.card');
  const move = (slot, day, times) =>
    drop(`${home}/bookings/${slot.dataset.booking}/change?${buildQuery(day, times)}`);

  /** Which part of a booking is held: its edges change its length. */
  function dragKind(slot, clientY) {
    const { top, bottom, height } = slot.getBoundingClientRect();
    const edge = Math.min(EDGE_PX, height / 3);
    if (slot.dataset.moves === 'end' || clientY > bottom - edge) return 'end';
    return clientY < top + edge ? 'start' : 'all';
  }

  grid.addEventListener('pointerdown', (event) => {
    isAfterDrag = false;
    if (event.button !== 0 || event.pointerType === 'touch' || event.shiftKey || event.ctrlKey) return;
    const day = event.target.closest('section .day');
    const slot = event.target.closest('a.slot');
    if (!day || (slot && !slot.dataset.moves) || (!slot && event.target.closest('.part'))) return;
    const grabbed = timeAt(day, event.clientY);
    const times = slot
      ? { start: Number(slot.dataset.start), end: Number(slot.dataset.end) }
      : { start: snap(day, grabbed, Math.floor), end: 0 };
    held = {
      kind: slot ? dragKind(slot, event.clientY) : 'book',
      slot,
      day,
      ...times,
      grabbed,
      y: event.clientY,
    };
    held.x = event.clientX;
  });

  /** The day under the pointer, for bookings that can move to another day. */
  const dayAt = (clientX) =>
    days().find((day) => {
      const { left, right } = day.getBoundingClientRect();
      return clientX >= left && clientX < right;
    });

  function drag(event) {
    const { kind, start, end, grabbed } = held;
    const day = kind === 'all' ? (dayAt(event.clientX) ?? held.day) : held.day;
    const time = timeAt(day, event.clientY);
    const step = Number(day.dataset.step);
    if (kind === 'all') {
      const from = snap(day, time - (grabbed - start));
      return { day, start: from, end: from + (end - start) };
    }
    if (kind === 'end') return { day, start, end: Math.max(snap(day, time), start + 1) };
    if (kind === 'start') return { day, start: Math.min(snap(day, time), end - 1), end };
    const until = snap(day, Math.max(time, start + 1), Math.ceil);
    return { day, start, end: Math.max(until, start + step) };
  }

  grid.addEventListener('pointermove', (event) => {
    if (!held) return;
    const far = Math.max(Math.abs(event.clientY - held.y), Math.abs(event.clientX - held.x));
    if (!held.moved && far < FAR_PX) return;
    if (!held.moved) {
      grid.setPointerCapture(event.pointerId);
      grid.dataset.dragging = held.kind;
      held.slot?.classList.add('lifted');
    }
    held.moved = drag(event);
    showGhost(held.moved.day, held.moved);
    const { top, bottom } = calendar().getBoundingClientRect();
    if (event.clientY > bottom - SCROLL_PX) calendar().scrollTop += SCROLL_PX / 4;
    if (event.clientY < top + 2 * SCROLL_PX) calendar().scrollTop -= SCROLL_PX / 4;
  });

  grid.addEventListener('pointerup', () => {
    const { slot, day: from, moved, start, end } = held ?? {};
    held = null;
    if (!moved) return;
    isAfterDrag = true;
    const { day, ...times } = moved;
    if (!slot) book(day, times);
    else if (day === from && times.start === start && times.end === end) clear();
    else move(slot, day, times);
  });

  const letGo = () => {
    held = null;
    clear();
  };
  grid.addEventListener('pointercancel', letGo);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && held?.moved) letGo();
  });
  grid.addEventListener('dragstart', (event) => event.preventDefault());

  // The click at the end of a drag must not open the drawer.
  grid.addEventListener(
    'click',
    (event) => {
      if (!isAfterDrag) return;
      isAfterDrag = false;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );

  Object.assign(window.desk, { book, move });
}
