import joi from 'joi';
import type { Room } from '../../../db/entities/rooms.js';
import { listRoomsOfParts } from '../../../db/queries/rooms/parts.js';
import { MAX_LEAVES, possibleParts, type RoomOfParts } from '../../../domain/rooms/parts.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { Action } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { Choices } from '../shared/fields.js';
import { roomChange } from './room-change.js';

type NamedRoom = RoomOfParts & { name: string };

/** A room among those that it includes, is included by, or could include. */
export interface Family {
  parts: NamedRoom[];
  wholes: NamedRoom[];
  /** The rooms to choose parts from; the current ones are among them. */
  possible: NamedRoom[];
}

/** Reads the rooms that have to do with a room's parts. */
export async function readFamily({ db }: ApiDependencies, { id, workspace_id }: Room): Promise<Family> {
  const rooms = await listRoomsOfParts(db.manager, workspace_id);
  const room = rooms.find((each) => each.id === id)!;
  const isPart = (each: NamedRoom): boolean => room.parts.includes(each.id);
  return {
    parts: rooms.filter(isPart),
    wholes: rooms.filter(({ parts }) => parts.includes(id)),
    possible: possibleParts(rooms, room),
  };
}

export const partsFields = {
  ...hiddenFields,
  parts: joi.array().items(text(64)).single().max(MAX_LEAVES).default([]),
};

export const partsForm = apiForm<{ parts: string[] }, { name: string; parts: string[] }>({
  ...roomChange,
  body: ({ parts }) => ({ parts }),
  notice: ({ name, parts }) =>
    parts.length > 0
      ? `${name} and its parts can no longer be booked at the same time.`
      : `${name} has no parts any more.`,
});

/** Links to rooms. */
export function RoomLinks({ ctx, rooms }: { ctx: ApiContext; rooms: NamedRoom[] }) {
  return (
    <>
      {rooms.map(({ id, name, archived }, n) => (
        <>
          {n > 0 && ', '}
          <a key={id} href={pathIn(ctx, `/rooms/${id}`)}>
            {name}
          </a>
          {archived && ' (archived)'}
        </>
      ))}
    </>
  );
}

/** The form of the rooms that a room consists of. */
export function PartsForm(props: { ctx: ApiContext; room: Room; possible: NamedRoom[] }) {
  const { ctx, room, possible } = props;
  return (
    <Action ctx={ctx} action={pathIn(ctx, `/rooms/${room.id}/parts`)} summary="Parts" button="Save">
      <p>
        If {room.name} can be divided, choose the rooms that it is divided into. A booking of {room.name} then
        takes all of them, and a booking of one of them takes {room.name}.
      </p>
      <Choices
        name="parts"
        label={`${room.name} consists of`}
        options={possible.map(({ id, name, archived }) => [id, archived ? `${name} (archived)` : name])}
        chosen={room.parts}
      />
      {possible.length === 0 && <p class="hint">There is no other room that can be a part of this one.</p>}
      <p class="hint">Existing bookings count too: they must not overlap.</p>
    </Action>
  );
}
