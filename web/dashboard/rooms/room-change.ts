import joi from 'joi';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { updateSchema } from '../../../api/resources/rooms/shape.js';
import { update } from '../../../api/resources/rooms/handlers.js';

/** The page of the room in the address. */
export const toRoom = (ctx: ApiContext): string => `/rooms/${ctx.params.id}`;

/** What the forms have in common that change a room like `PATCH /v1/rooms/{id}`. */
export const roomChange = { handler: update, schema: updateSchema, to: toRoom };

/** A field that a form repeats, such as the times of a day. */
export const repeated = joi.array().items(text(20).allow('')).single().max(50).default([]);
