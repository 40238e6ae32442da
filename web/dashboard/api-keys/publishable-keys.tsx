import joi from 'joi';
import { listOfferedRooms } from '../../../db/queries/booking-page/offered-room.js';
import type { Room } from '../../../db/entities/rooms.js';
import { createKey } from '../../../api/resources/api-keys/create.js';
import { createSchema, type CreateBody } from '../../../api/resources/api-keys/shape.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { validate } from '../../../api/http/validate.js';
import { inputOf, textFields } from '../shared/declared-fields.js';
import { Choices, TextArea, TextField } from '../shared/fields.js';
import { Form, formIdempotencyKey, formIdFields } from '../shared/form.js';
import { redirectWithNotice } from '../shared/notice.js';
import { showSection } from '../shared/workspace.js';
import { pathOf } from './key-actions.js';

export const publishableFields = {
  ...formIdFields,
  ...textFields(createSchema, 'name'),
  origins: text(5_000).allow('').default(''),
  room_ids: joi.array().items(text(50)).single().max(500),
};

interface PublishableForm {
  name: string;
  /** Separated by white space. */
  origins: string;
  room_ids?: string[];
}

/**
 * `GET /dashboard/:workspace/keys/publishable`: a key with which a web site shows rooms and
 * lets strangers book them.
 */
export function showPublishableForm({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const rooms = await listOfferedRooms(db.manager, { workspace_id, room_ids: null });
    showSection(ctx, {
      title: 'New key for a web site',
      at: '/keys',
      children: <PublishableKeyForm ctx={ctx} rooms={rooms} />,
    });
  };
}

function PublishableKeyForm({ ctx, rooms }: { ctx: ApiContext; rooms: Room[] }) {
  return (
    <Form class="card" ctx={ctx} action={`${pathOf(ctx)}/publishable`} once>
      <p class="soft">
        A web site can contain this key: with it, people see rooms and free times, and book as guests. It
        shows nothing about members and bookings.
      </p>
      <TextField {...inputOf(createSchema, 'name')} label="Name" />
      <TextArea
        name="origins"
        label="Web sites that use it, such as https://www.example.com, one per line"
        rows={2}
        required
      />
      <Choices
        name="room_ids"
        label="Rooms (none selected: all that guests can book)"
        options={rooms.map(({ id, name }) => [id, name] as const)}
        chosen={[]}
      />
      <button>Create key for a web site</button>
    </Form>
  );
}

/** Creates a publishable key like `POST /v1/api-keys`; the page with the keys shows it. */
export function createPublishableFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { name, origins, room_ids } = ctx.state.body as PublishableForm;
    const body = validate<CreateBody>(
      createSchema,
      {
        name,
        kind: 'publishable',
        origins: origins.split(/\s+/).filter(Boolean),
        room_ids: room_ids ?? null,
      },
      false,
    );
    await createKey(deps, ctx.state.principal, body, formIdempotencyKey(ctx));
    redirectWithNotice(ctx, pathOf(ctx), `${name} has been created. Its key is in the list.`);
  };
}
