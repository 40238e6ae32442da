import { TONES } from '../../ui/tones.js';

/** The class of a room's colour: by its place among the rooms of the workspace, so neighbours differ. */
export function roomTone(rooms: readonly { id: string }[], id: string): string {
  const place = rooms.findIndex((room) => room.id === id);
  return `tone-${Math.max(0, place) % TONES.room}`;
}
