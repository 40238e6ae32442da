import { createHash } from 'node:crypto';
import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiContext } from '../../../api/http/context.js';
import { Icon, type IconName } from '../../ui/icons.js';
import { Form } from './form.js';

interface ActionProps {
  ctx: ApiContext;
  action: string;
  summary: string;
  button: string;
  /** True for an action that is rare or cannot be undone. */
  rare?: boolean;
  children?: ComponentChildren;
}

/** A form of an object's page that is closed until it is needed. It takes effect once. */
export function Action({ ctx, action, summary, button, rare, children }: ActionProps) {
  return (
    <details class={rare ? 'action rare' : 'action'} open={ctx.state.rejection?.action === action}>
      <summary>{summary}</summary>
      <Form ctx={ctx} action={action} once>
        {children}
        <button class={rare ? 'danger' : undefined}>{button}</button>
      </Form>
    </details>
  );
}

interface DrawerProps {
  ctx: ApiContext;
  /** The address of its form. If the form was rejected, it is shown open in the page. */
  action: string;
  /** The label of the button that opens it, and its title. */
  label: string;
  /** True if the button is not the page's main action. */
  quiet?: boolean;
  /** True for an action that is rare or cannot be undone. */
  rare?: boolean;
  icon?: IconName;
  children: ComponentChildren;
}

/** The id of the drawer for the form at an address. */
const drawerId = (action: string): string =>
  `drawer-${createHash('sha256').update(action).digest('hex').slice(0, 8)}`;

const isRejected = (ctx: ApiContext, action: string): boolean => ctx.state.rejection?.action === action;

/** Opens a drawer that is elsewhere on the page; nothing while the drawer is open. */
export function DrawerButton(props: Omit<DrawerProps, 'children'>) {
  const { ctx, action, label, quiet, rare, icon } = props;
  if (isRejected(ctx, action)) return null;
  const className = rare ? 'quiet rare' : quiet && 'quiet';
  return (
    <button type="button" class={className || undefined} popovertarget={drawerId(action)}>
      {icon && <Icon name={icon} />}
      {label}
    </button>
  );
}

/** Where drawers of a menu are rendered: their buttons in it, and then what they open, after it. */
export const MenuPart = createContext<'buttons' | 'drawers' | null>(null);

/** A short task beside the page that it belongs to, opened by a button without a script. */
export function Drawer({ children, ...props }: DrawerProps) {
  const { ctx, action, label } = props;
  const part = useContext(MenuPart);
  if (part === 'buttons') return <DrawerButton {...props} />;
  const id = drawerId(action);
  const title = <h2 id={`${id}-title`}>{label}</h2>;
  if (isRejected(ctx, action))
    return (
      <section class="drawer" aria-labelledby={`${id}-title`}>
        {title}
        {children}
      </section>
    );
  return (
    <>
      {part !== 'drawers' && <DrawerButton {...props} />}
      <div id={id} class="drawer" popover="auto" role="dialog" aria-labelledby={`${id}-title`}>
        <header>
          {title}
          <button
            type="button"
            class="close"
            popovertarget={id}
            popovertargetaction="hide"
            aria-label="Close"
          >
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </>
  );
}

/** The main action of a page that is a page of its own. */
export function PrimaryLink({
  href,
  icon = 'plus',
  children,
}: {
  href: string;
  icon?: IconName;
  children: ComponentChildren;
}) {
  return (
    <a class="button" href={href}>
      <Icon name={icon} />
      {children}
    </a>
  );
}

/** What few people need, closed at first: ids, and links to Temporal and other systems. */
export function Details({ of }: { of: Fact[] }) {
  return (
    <details class="more">
      <summary>Details</summary>
      <FactCard of={of} />
    </details>
  );
}

/** A name and its value; a falsy one is left out. */
export type Fact = readonly [name: string, value: ComponentChildren] | null | undefined | false | '' | 0;

export function Facts({ of, card }: { of: Fact[]; card?: true }) {
  return (
    <dl class={card ? 'facts card' : 'facts'}>
      {of.map(
        (fact) =>
          fact && (
            <>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </>
          ),
      )}
    </dl>
  );
}

export const FactCard = ({ of }: { of: Fact[] }) => <Facts of={of} card />;

/** Facts about a part of an object, under its name, with the actions that change it. */
export function About({ title, of, children }: { title: string; of: Fact[]; children?: ComponentChildren }) {
  return (
    <section class="about">
      <h2>{title}</h2>
      <FactCard of={of} />
      <div class="actions">{children}</div>
    </section>
  );
}
