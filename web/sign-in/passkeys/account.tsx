import { removePasskey, renamePasskey } from '../../../commands/sign-in/passkeys.js';
import type { Passkey } from '../../../db/entities/access.js';
import { formatDay } from '../../../domain/display.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { BrowserSession, Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { PageError } from '../../ui/browser.js';
import { Form } from '../../ui/forms.js';
import { proofFields } from '../proof.js';
import { NameField, nameField } from './register.js';

/** In UTC: the page belongs to no workspace with a time zone. */
const day = (at: Date): string => formatDay(at, 'UTC', new Date());

/** A person's passkeys, with forms to rename and remove each and to add one. */
export function Passkeys({ session, passkeys }: { session: BrowserSession; passkeys: Passkey[] }) {
  return (
    <section>
      <h2>Passkeys</h2>
      {passkeys.map(({ id, name, created_at, last_used_at, backed_up }) => (
        <div key={id} class="entry">
          <strong>{name}</strong>
          <p>
            Added {day(created_at)}, {last_used_at ? `last used ${day(last_used_at)}` : 'never used'}
            {backed_up && ', synchronised to your other devices'}
          </p>
          <details>
            <summary>Rename or remove</summary>
            <Form action="/account/passkeys/rename" session={session}>
              <input type="hidden" name="id" value={id} />
              <NameField value={name} id={`name-${id}`} />
              <button class="quiet">Rename</button>
            </Form>
            <Form action="/account/passkeys/remove" session={session}>
              <input type="hidden" name="id" value={id} />
              <button class="danger">Remove passkey</button>
            </Form>
          </details>
        </div>
      ))}
      <Form action="/account/passkeys/start" session={session}>
        <button class="quiet">Add a passkey</button>
      </Form>
    </section>
  );
}

const idField = { id: text(1_400).required() };
export const renameFields = { ...idField, ...nameField };
export const removeFields = { ...idField, ...proofFields };

/** `POST /account/passkeys/rename` */
export function rename({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { id, name } = ctx.state.body as { id: string; name: string };
    await renamePasskey(db.manager, ctx.state.session!.profile_id, id, name);
    ctx.redirect('/account');
  };
}

/**
 * `POST /account/passkeys/remove`: removes a passkey and sends mail. The last second
 * factor of a person stays.
 */
export function remove({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { id } = ctx.state.body as { id: string };
    const { profile_id } = ctx.state.session!;
    if (!(await removePasskey(db, profile_id, id)))
      throw new PageError(
        409,
        'The passkey is still there',
        'Two-step verification needs it. Add another passkey or set up an authenticator first.',
      );
    ctx.redirect('/account');
  };
}
