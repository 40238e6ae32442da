// Converts between positions in the grid that the server rendered and times, in minutes since 1970.
{
  const grid = document.querySelector('#grid');
  const { dialog, load } = window.desk;
  const REFRESH_MS = 60_000;

  const calendar = () => grid.querySelector('.calendar');
  const days = () => [...grid.querySelectorAll('section .day')];

  const readStretches = (day) =>
    JSON.parse(day.dataset.stretches).map(([start, end, top, wall]) => ({ start, end, top, wall }));

  /**
   * The stretch of a day in which a time is, or the nearest one. `isEnd`: the end of a stretch belongs to it.
   */
  const stretchAt = (day, time, isEnd = false) => {
    const stretches = readStretches(day);
    return stretches.findLast(({ start }) => (isEnd ? start < time : start <= time)) ?? stretches[0];
  };

  /** The time of a day at a vertical position in the window, in pixels. */
  const timeAt = (day, clientY) => {
    const box = day.getBoundingClientRect();
    const minute = ((clientY - box.top) / box.height) * Number(day.dataset.minutes);
    const stretches = readStretches(day);
    const { start, top } = stretches.findLast((each) => each.top <= minute) ?? stretches[0];
    return start + (minute - top);
  };

  /** A time on the lines of the day's clock. `round`: `Math.floor` or `Math.round`. */
  const snap = (day, time, round = Math.round) => {
    const { start, wall } = stretchAt(day, time);
    const step = Number(day.dataset.step);
    return start + round((wall + time - start) / step) * step - wall;
  };

  const wallAt = (day, time, isEnd) => {
    const { start, wall } = stretchAt(day, time, isEnd);
    return wall + time - start;
  };
  const formatWallTime = (day, time, isEnd) => new Date(wallAt(day, time, isEnd) * 60_000).toISOString();

  const DAY_MINUTES = 24 * 60;
  /** The same local time on another day. */
  const sameClock = (from, time, to) => {
    const midnight = (day) => Math.floor(readStretches(day)[0].wall / DAY_MINUTES) * DAY_MINUTES;
    const wall = wallAt(from, time) - midnight(from) + midnight(to);
    const stretches = readStretches(to);
    const stretch = stretches.findLast((each) => each.wall <= wall) ?? stretches[0];
    return snap(to, stretch.start + wall - stretch.wall);
  };

  /** `10:00–11:00` on the day's clock. */
  const clocks = (day, { start, end }) =>
    `${formatWallTime(day, start).slice(11, 16)}–${formatWallTime(day, end, true).slice(11, 16)}`;

  /** A room and its times, as the forms take them from the address. */
  const buildQuery = (day, { start, end }) =>
    new URLSearchParams({
      room_id: day.dataset.room,
      start_at: formatWallTime(day, start).slice(0, 16),
      end_at: formatWallTime(day, end, true).slice(0, 16),
      exact_start: new Date(start * 60_000).toISOString(),
      exact_end: new Date(end * 60_000).toISOString(),
    });

  const length = (minutes) => `calc(var(--minute) * ${minutes})`;

  /** Inline styles, which the page itself may not contain. */
  const place = (root) => {
    for (const each of root.querySelectorAll('[data-top]')) {
      each.style.top = length(each.dataset.top);
      each.style.height = length(each.dataset.minutes);
    }
  };

  const ghost = document.createElement('div');
  ghost.className = 'ghost';

  const showGhost = (day, { start, end }) => {
    const computeTop = (time, isEnd) => {
      const stretch = stretchAt(day, time, isEnd);
      return Math.min(Number(day.dataset.minutes), Math.max(0, stretch.top + time - stretch.start));
    };
    const top = computeTop(start);
    ghost.style.top = length(top);
    ghost.style.height = length(Math.max(computeTop(end, true) - top, 0));
    ghost.textContent = clocks(day, { start, end });
    if (ghost.parentNode !== day) day.append(ghost);
  };
  const clear = () => {
    ghost.remove();
    delete grid.dataset.dragging;
    for (const each of grid.querySelectorAll('.lifted')) each.classList.remove('lifted');
  };

  /** Identifies an element so that the focus can be restored after redrawing. */
  const elementKey = (element) =>
    element.dataset.booking
      ? `[data-booking="${element.dataset.booking}"]`
      : element.dataset.start && `a.free[data-start="${element.dataset.start}"]`;

  /** Draws the calendar again from the server. */
  async function refresh() {
    const answer = await load(grid.dataset.self).catch(() => null);
    const next = answer?.page.querySelector('#grid');
    if (!next) return;
    const { activeElement } = document;
    const focused = grid.contains(activeElement) ? activeElement : null;
    const key = focused && elementKey(focused);
    const room = focused?.closest('.day')?.dataset.room;
    const { scrollTop, scrollLeft } = calendar();
    grid.replaceChildren(...next.childNodes);
    document.querySelector('.agenda').replaceWith(answer.page.querySelector('.agenda'));
    place(grid);
    calendar().scrollTo(scrollLeft, scrollTop);
    window.desk.rove();
    if (key) (grid.querySelector(`[data-room="${room}"] ${key}`) ?? grid.querySelector(key))?.focus();
  }

  setInterval(() => {
    if (!dialog.open && !ghost.parentNode && document.visibilityState === 'visible') refresh();
  }, REFRESH_MS);
  const now = grid.querySelector('.now');
  if (now) calendar().scrollTop = now.offsetTop - calendar().clientHeight / 3;

  Object.assign(window.desk, {
    grid,
    calendar,
    days,
    timeAt,
    snap,
    sameClock,
    clocks,
    buildQuery,
    showGhost,
    clear,
    refresh,
    isLifted: () => ghost.parentNode !== null,
  });
}
