import { proven, type Section } from '../shared/section.js';
import { roomOf } from '../../../api/resources/rooms/handlers.js';
import { blackoutForm } from '../blackouts/blackout-form.js';
import { blackoutFields } from '../blackouts/inputs.js';
import { roomCalendarAddressForm } from '../members/membership/calendar-address.js';
import { hiddenFields } from '../shared/api-form.js';
import { toRoom } from './room-change.js';
import { roomForms } from './room-forms.js';
import { showRoom } from './room.js';
import { createRoomForm, newRoomFields, roomsQuery, showRooms } from './rooms.js';
import { MAX_PICTURE_BYTES } from '../../../domain/rooms/picture.js';
import { pictureFields, pictureForm, removePictureFields, removePictureForm } from './pictures.js';

export const rooms: Section = [
  {
    path: '/rooms',
    capability: 'write_blackouts',
    query: roomsQuery,
    show: showRooms,
    forms: [['', newRoomFields, createRoomForm, 'write_rooms']],
  },
  {
    path: '/rooms/:id',
    capability: 'write_blackouts',
    show: showRoom,
    forms: [
      ...roomForms,
      ['/blackouts', blackoutFields, blackoutForm(roomOf, toRoom)],
      ['/pictures', pictureFields, { maxFileBytes: MAX_PICTURE_BYTES, page: pictureForm }, 'write_rooms'],
      ['/pictures/remove', removePictureFields, removePictureForm, 'write_rooms'],
      ['/calendar-address', hiddenFields, proven(roomCalendarAddressForm)],
    ],
  },
];
