import { toChildArray, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { Icon } from '../../ui/icons.js';
import { MenuPart } from './action.js';

/**
 * A menu that opens without a script: links, a form or actions. `name`: the accessible name of a button
 * without text.
 */
export function Menu(props: {
  id: string;
  label: ComponentChildren;
  name?: string;
  children: ComponentChildren;
}) {
  const { id, label, name, children } = props;
  return (
    <>
      <button type="button" class="quiet" popovertarget={id} aria-label={name}>
        {label}
      </button>
      <div id={id} class="menu-card" popover="auto">
        {children}
      </div>
    </>
  );
}

/**
 * The less frequent actions of an object: drawers and `MenuItem`s. A single action is shown without a menu.
 */
export function MoreMenu({ children }: { children: ComponentChildren }) {
  const actions = toChildArray(children);
  if (actions.length < 2) return <>{actions}</>;
  return (
    <>
      <Menu
        id="more"
        label={
          <>
            More
            <Icon name="expand" />
          </>
        }
      >
        <MenuPart.Provider value="buttons">
          <div class="actions">{actions}</div>
        </MenuPart.Provider>
      </Menu>
      <MenuPart.Provider value="drawers">{actions}</MenuPart.Provider>
    </>
  );
}

/** An action of a menu that opens no drawer: a link, or a form that is a button. */
export const MenuItem = ({ children }: { children: ComponentChildren }) =>
  useContext(MenuPart) === 'drawers' ? null : <>{children}</>;
