/** Styles of the search, the overview, a booking's page and the calendar. */
export const DAY_CSS = `
  h1, ul.plain { overflow-wrap: anywhere; }
  .numbers .card { margin: 0; } .numbers small { display: block; color: var(--soft); } .numbers { margin-bottom: 1rem; }
  .status.running { color: var(--good); } .status.no_show, .status.expired { color: var(--soft); }
  .countdown { font-variant-numeric: tabular-nums; font-size: .85rem; color: var(--warn); white-space: nowrap; }
  code.id.copied::after { content: ' copied'; } code.id { cursor: copy; }
  input.copy { font-size: .85rem !important; margin-top: .25rem; }
  ol.timeline { list-style: none; padding: 1rem 1.25rem; } ol.timeline li { display: grid; grid-template-columns: 4.5rem 1fr; gap: 0 .75rem; padding: .3rem 0; }
  ol.timeline li > b { grid-column: 1 / -1; margin-top: .5rem; } ol.timeline time { color: var(--soft); font-variant-numeric: tabular-nums; }
  ol.timeline small { display: block; color: var(--soft); overflow-wrap: anywhere; } ol.timeline .bad { color: var(--bad); }
  ol.timeline > li:first-child > b { margin-top: 0; }
  .failing { border-top: 1px solid var(--line); margin-top: .75rem; padding-top: .25rem; } .failing summary { cursor: pointer; color: var(--soft); font-size: .85rem; }
  ol.steps li { margin: .35rem 0; } ol.steps .done { color: var(--soft); text-decoration: line-through; }
  .card.trouble .actions { margin-top: .5rem; } .card.trouble button { padding: .45rem .9rem; }
  #run p:first-child { margin-top: 0; } #run p:last-child { margin-bottom: 0; }
  .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .calendar table { table-layout: fixed; min-width: 34rem; border-collapse: separate; border-spacing: 0; }
  .calendar th { padding: .3rem .5rem; } .calendar thead th:first-child { width: 3.75rem; }
  .calendar tbody th { font-size: .85rem; border: 0; vertical-align: top; position: relative; top: -.1rem; }
  .calendar td { padding: 0; height: 1.6rem; border-left: 1px solid var(--line); font-size: .85rem; }
  .calendar td:is(.closed, .past, .held) { background: var(--paper); color: var(--soft); padding: .2rem .5rem; }
  .calendar td.blackout { background: var(--paper); color: var(--bad); padding: .2rem .5rem; }
  .calendar td a { display: block; text-decoration: none; } .calendar td a.free { color: transparent; height: 1.6rem; padding: .15rem .5rem; }
  .calendar td a.free:is(:hover, :focus-visible) { color: var(--accent); background: var(--paper); }
  .calendar td.bookings { padding: 1px; height: inherit; } a.slot { border-left: 4px solid var(--good); background: var(--paper); color: var(--ink); padding: .2rem .5rem; border-radius: 6px; }
  a.slot:is(.pending_payment, .change) { border-color: var(--warn); border-left-style: dashed; } a.slot.completed { border-color: var(--line); }
  .calendar td.bookings { height: 1px; } .calendar a.slot:only-child { height: 100%; }
  .agenda { display: none; } .agenda ul.card { padding: .25rem 1rem; } .agenda ul.card li { margin: .35rem 0 !important; } .agenda h2 { margin-top: 1rem; } .agenda a.slot { text-decoration: none; display: block; margin: .15rem 0; } .agenda li:is(.closed, .past, .held) { color: var(--soft); } .agenda li.blackout { color: var(--bad); }
  ul.times { display: grid; grid-template-columns: repeat(auto-fill, minmax(5rem, 1fr)); gap: .5rem; padding: 0; margin: .5rem 0 0; list-style: none; }
  ul.times a { display: block; padding: .45rem; text-align: center; border: 1px solid var(--line); border-radius: 9px; } ul.times a[aria-current] { border-color: var(--accent); font-weight: 600; }
  ol.steps { padding-left: 2.5rem; } code.id { vertical-align: middle; } .do { margin-top: 1rem; display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin-bottom: .75rem; } .do .actions { margin: 0; }
  table.bookings td:first-child { white-space: nowrap; }
  @media (max-width: 40rem) {
    table.bookings td:first-child { white-space: normal; }
    .calendar { display: none; } .agenda { display: block; }
    table.bookings tr { display: grid; grid-template-columns: minmax(3rem, auto) minmax(5.5rem, 1fr) auto; padding: .4rem 1rem; gap: 0 .4rem; }
    table.bookings td { padding: 0; min-width: 0; } table.bookings td:first-child { grid-column: 1 / 3; }
    table.bookings td:nth-child(5) { order: 2; text-align: right; } table.bookings td:is(:nth-child(2), :nth-child(3), :nth-child(4)) { order: 3; font-size: .92rem; }
    table.bookings td:is(:nth-child(2), :nth-child(3)) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    table.bookings td:nth-child(3) { color: var(--soft); } table.bookings td:nth-child(4) { min-width: min-content; text-align: right; }
    table.bookings tr:has(.countdown) td:nth-child(4) { grid-column: 1 / -1; text-align: left; }
    table.bookings td:nth-child(3)::before { content: '· '; } table.bookings td:first-child { order: 1; }
    form.filter { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem .75rem; } form.filter > div { min-width: 0; } form.filter > div:first-child:not(:nth-last-child(3)), form.filter button, form.filter > div:nth-child(2):nth-last-child(4) { grid-column: 1 / -1; }
    .numbers { grid-template-columns: 1fr 1fr; gap: .75rem; } .numbers .card { padding: .75rem 1rem; } .numbers b { font-size: 1.5rem; }
  }
`;
