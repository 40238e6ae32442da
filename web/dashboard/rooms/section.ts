import type { Section } from '../shared/section.js';
import { blackoutForms } from './blackout-forms.js';
import { roomForms } from './room-forms.js';
import { showRoom } from './room.js';
import { createRoomForm, newRoomFields, roomsQuery, showRooms } from './rooms.js';

export const rooms: Section = [
  {
    path: '/rooms',
    capability: 'write_rooms',
    query: roomsQuery,
    show: showRooms,
    forms: [['', newRoomFields, createRoomForm]],
  },
  { path: '/rooms/:id', capability: 'write_rooms', show: showRoom, forms: [...roomForms, ...blackoutForms] },
];
