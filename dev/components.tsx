import Koa from 'koa';
import type { ApiContext } from '../api/http/context.js';
import { newRouter } from '../api/http/router.js';
import { MIN_CONTRAST } from '../domain/workspaces/colour.js';
import { Details, Drawer, FactCard, PrimaryLink } from '../web/dashboard/shared/action.js';
import { Choice, Choices, Select, TextArea, TextField } from '../web/dashboard/shared/fields.js';
import { Form } from '../web/dashboard/shared/form.js';
import { Id } from '../web/dashboard/shared/id.js';
import { showDashboard, Status } from '../web/dashboard/shared/layout.js';
import { Table } from '../web/dashboard/shared/list.js';
import { MenuItem, MoreMenu } from '../web/dashboard/shared/menu.js';
import { navigationFor } from '../web/dashboard/shared/navigation.js';
import { fontRoutes } from '../web/ui/fonts.js';
import { Icon, ICON_NAMES } from '../web/ui/icons.js';

/**
 * `npm run components`: all parts that pages are built from, on one page. It needs no stack. The optional
 * argument is its port, by default 9300.
 */
const PORT = Number(process.argv[2] ?? 9300);
const AT = '/dashboard/example/components';

const membership = {
  workspace_id: 'example',
  workspace_name: 'Harbour House',
  time_zone: 'Europe/London',
  currency: 'GBP',
  csv: { separator: 'comma', decimal: 'point' },
  prices_entered: 'net',
  member_id: 'example',
  role: 'owner',
  recovering_since: null,
  required_sign_in: null,
} as const;

const ROWS = [
  { id: '1', name: 'Ada Lovelace', status: 'active', amount: '£1,250.00' },
  {
    id: '2',
    name: 'Maximiliane Featherstonehaugh-Cholmondeley of Basingstoke',
    status: 'invited',
    amount: '£0.00',
  },
  {
    id: '3',
    name: 'Donaudampfschifffahrtsgesellschaftskapitänswitwenverein',
    status: 'archived',
    amount: '£98.40',
  },
  { id: '4', name: 'שרה כהן־לוי', status: 'paused', amount: '£7.00' },
];
const COLOURS = ['ink', 'soft', 'paper', 'card', 'line', 'edge', 'accent', 'fill', 'good', 'warn', 'bad'];
const SIZES = ['xs', 's', 'm', 'l', 'xl'];
const STATUSES = [
  'confirmed',
  'pending_payment',
  'completed',
  'cancelled',
  'failed',
  'disputed',
  'paid',
  'open',
];

const colourCss = COLOURS.map((name) => `.swatch-${name}::before{background:var(--${name})}`).join('');
const sizeCss = SIZES.map((name) => `.size.${name}{font-size:var(--text-${name})}`).join('');
const OWN_CSS =
  `.swatches{display:flex;flex-wrap:wrap;gap:1rem}.swatch::before{content:'';display:block;width:5rem;` +
  `height:3rem;border:1px solid var(--line);border-radius:var(--radius)}${colourCss}${sizeCss}`;

function Components({ ctx }: { ctx: ApiContext }) {
  return (
    <>
      <div class="do">
        <Drawer ctx={ctx} action={`${AT}/drawer`} label="Quiet drawer" quiet>
          <Form ctx={ctx} action={`${AT}/drawer`}>
            <TextField name="drawer" label="Name" />
            <button>Save</button>
          </Form>
        </Drawer>
        <button type="button" class="quiet">
          Quiet
        </button>
        <button type="button" class="danger">
          Danger
        </button>
        <button type="button" disabled>
          Disabled
        </button>
        <MoreMenu>
          <Drawer ctx={ctx} action={`${AT}/menu`} label="Edit guest" quiet>
            <Form ctx={ctx} action={`${AT}/menu`}>
              <TextField name="guest" label="Guest name" />
              <button>Save guest</button>
            </Form>
          </Drawer>
          <MenuItem>
            <a href="#menu">Open a page</a>
          </MenuItem>
          <Drawer ctx={ctx} action={`${AT}/cancel`} label="Cancel booking" quiet rare>
            <Form ctx={ctx} action={`${AT}/cancel`}>
              <button class="danger">Cancel booking</button>
            </Form>
          </Drawer>
        </MoreMenu>
      </div>
      <h2>Colours</h2>
      <p class="hint">
        Text has a contrast of at least {MIN_CONTRAST}:1 on paper and card, in light and dark.
      </p>
      <div class="swatches">
        {COLOURS.map((name) => (
          <span key={name} class={`swatch swatch-${name}`}>
            {name}
          </span>
        ))}
      </div>
      <h2>Type</h2>
      {SIZES.map((name) => (
        <div key={name} class={`size ${name}`}>
          {name}: Hold the slot, take the payment, 1,234.50
        </div>
      ))}
      <h2>Icons</h2>
      <div class="swatches">
        {ICON_NAMES.map((name) => (
          <span key={name}>
            <Icon name={name} /> {name}
          </span>
        ))}
      </div>
      <h2>Numbers</h2>
      <div class="numbers">
        <a class="card" href="#numbers">
          <b>12</b> bookings today<small>48 in the next 7 days</small>
        </a>
        <div class="card">
          <b>£1,234.50</b> received today
        </div>
      </div>
      <h2>Table</h2>
      <Table
        rows={ROWS}
        empty=""
        columns={[
          { name: 'Name', show: ({ name }) => <a href="#table">{name}</a> },
          { name: 'Status', show: ({ status }) => <Status value={status} /> },
          { name: 'Amount', number: true, show: ({ amount }) => amount },
        ]}
      />
      <h2>Empty list</h2>
      <div class="empty">
        <p>
          No rooms yet. A room has a name, a price and opening hours, such as Garden room, £25 an hour, 8 to
          22.
        </p>
        <div class="actions">
          <PrimaryLink href="#empty">Add room</PrimaryLink>
        </div>
      </div>
      <div class="columns">
        <div>
          <h2>Form</h2>
          <Form ctx={ctx} action={`${AT}/form`} class="card">
            <TextField name="name" label="Name" value="Garden room" />
            <TextField name="price" label="Price (GBP)" value="a lot" />
            <TextArea name="notes" label="Notes" rows={3} />
            <Select name="tax" label="Tax" options={[['STD', 'Standard, 20%']]} chosen={['STD']} />
            <Choices
              name="days"
              label="Days"
              options={[
                ['1', 'Monday'],
                ['2', 'Tuesday'],
              ]}
              chosen={['1']}
            />
            <Choice name="public">Show on the booking page</Choice>
            <p class="hint">Existing bookings keep their price.</p>
            <button>Save room</button>
          </Form>
        </div>
        <div>
          <h2>Facts</h2>
          <FactCard
            of={[
              ['Status', <Status value="confirmed" />],
              ['When', 'Wed 2 Dec, 09:00–11:00'],
              ['Booked by', 'Maximiliane Featherstonehaugh-Cholmondeley of Basingstoke'],
              ['Price', '£30.00'],
            ]}
          />
        </div>
      </div>
      <h2>Messages</h2>
      <div class="card notice">
        <p>Garden room has been saved.</p>
      </div>
      <article class="card trouble">
        <strong>A refund fails: £102.00</strong>
        <p class="soft">Stripe refuses it. The next attempt is at 17:05.</p>
      </article>
      <h2>Statuses</h2>
      <div class="do">
        {STATUSES.map((value) => (
          <Status key={value} value={value} />
        ))}
      </div>
      <Details of={[['ID', <Id of="bk_01m8mhe258e04rexample" />]]} />
    </>
  );
}

const router = newRouter();
router.get(AT, (context) => {
  const ctx = context as unknown as ApiContext;
  ctx.state.membership = membership as never;
  ctx.state.rejection = {
    action: `${AT}/form`,
    problems: [{ field: 'price', message: 'Enter an amount, such as 25.00.' }],
    submitted: { name: 'Garden room', price: 'a lot', days: '1' },
  } as never;
  showDashboard(ctx, {
    title: 'Components',
    membership: membership as never,
    navigation: navigationFor(membership as never),
    at: '/rooms',
    css: OWN_CSS,
    tabs: [
      { at: '/components', name: 'Overview' },
      { at: '/rooms', name: 'Settings' },
    ],
    primary: <PrimaryLink href="#primary">Main action</PrimaryLink>,
    children: <Components ctx={ctx} />,
  });
});
router.redirect('/', AT);

const app = new Koa();
app.use(fontRoutes().routes()).use(router.routes());
app.listen(PORT, 'localhost', () => process.stdout.write(`Components: http://localhost:${PORT}${AT}\n`));
