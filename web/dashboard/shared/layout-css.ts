/** Styles of navigation, lists and forms of the pages of money, people, rooms and settings. */
export const OFFICE_CSS = `
  .notice { border-left: 4px solid var(--good); margin: 0 0 1rem; }
  .title { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; }
  a code.id { color: inherit; } a.button { display: inline-block; font-weight: 600; border-radius: 9px; padding: .6rem 1rem; background: #1e5f7f;
             color: #fff; text-decoration: none; }
  a.button.quiet { background: none; color: var(--ink); border: 1px solid var(--line); }
  .links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .75rem 0; }
  .pager { display: flex; gap: 1.25rem; margin: 1rem 0; }
  th.number { text-align: right; } td small, dd small { color: var(--soft); display: block; } td.actions-cell { white-space: nowrap; }
  table.list :is(span.soft, a.time) { white-space: nowrap; } table.list td { max-width: 100%; } details div { overflow-wrap: anywhere; }
  .sums td { font-weight: 600; } .status.open, .status.authorised, .status.invited, .status.trialing,
  .status.paused, .status.inquiry, .status.partially_refunded { color: var(--warn); }
  .status.lost, .status.void, .status.cancelled, .status.archived { color: var(--soft); } .status.won { color: var(--good); }
  details.action { border-top: 1px solid var(--line); padding: .6rem 0; }
  details.action:first-child { border-top: 0; } details.action > summary { cursor: pointer; font-weight: 600; color: var(--accent); }
  details.action > form { max-width: 32rem; margin: .25rem 0 .75rem; } details.action form button { margin-top: 1rem; }
  details.action label.choice { font-weight: 400; margin: .25rem 0; }
  details.action.rare > summary { color: var(--soft); font-weight: 400; }
  .grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 0 1rem; align-items: end; }
  .grid label { margin-top: 1rem !important; } .scroll + .card, .card + .card { margin-top: 1rem; }
  .status.delivered { color: var(--good); } .status.waiting { color: var(--warn); }
  form.card.wide { max-width: none; } .hint { color: var(--soft); font-size: .9rem; margin: .25rem 0 0; }
  .confirmation { max-width: 44rem; } .confirmation form { max-width: none; display: inline-flex; margin-right: .75rem; }
  table.inputs td, table.inputs th { padding: .3rem .4rem; } table.inputs input, table.inputs select { min-width: 5rem; }
  table.lines td:first-child { width: 34%; } table.lines td:nth-child(2) { width: 12%; }
  table.plain { width: auto; } pre { overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }
  td.bars { width: 60%; min-width: 9rem; } td.hours { white-space: nowrap; } td.span { white-space: nowrap; } td.span input { width: auto !important; min-width: 6.5rem; }
  svg.week { width: 100%; height: 1.1rem; display: block; background: var(--line); border-radius: 4px; }
  svg.week .open { fill: var(--good); opacity: .55; } svg.week .booked { fill: var(--accent); }
  svg.week .blackout { fill: var(--bad); opacity: .7; } svg.week line { stroke: var(--card); stroke-width: 3; }
  .legend span::before { content: ''; display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem;
    border-radius: 3px; background: var(--line); vertical-align: -1px; } .legend .open::before { background: var(--good); opacity: .55; }
  .legend .booked::before { background: var(--accent); } .legend .blackout::before { background: var(--bad); opacity: .7; }
  @media (max-width: 40rem) {
    dl.facts { grid-template-columns: fit-content(36%) minmax(0, 1fr) !important; gap: .25rem 1rem !important; }
    dl.facts dd { margin: 0 !important; } dl.facts code.id { max-width: min(9rem, 100%); }
    table.list tr { display: flex; flex-wrap: wrap; gap: 0 .5rem; padding: .5rem 1rem; } table.list td { padding: .1rem 0; }
    table.list td:first-child { flex: 1 0 50%; } table.list td:not(:first-child) { order: 2; }
    table.list td.number:last-child { order: 1; flex: 0 0 auto; max-width: 48%; margin-left: auto; text-align: right; white-space: normal; }
    td.bars { width: auto; } tr > th[scope=row] { border: 0; padding-bottom: 0; } svg.week { margin: .15rem 0; }
    table.list td .status + small { display: inline; } tr.sums { display: flex; justify-content: space-between; border: 0; }
    td[data-label]::before { content: attr(data-label) ': '; color: var(--soft); }
    table.inputs td { padding: .15rem 1rem; } table.lines td { width: auto !important; } td:empty { display: none !important; }
    tr.sums td { padding: .1rem 1rem; }
  }
`;
