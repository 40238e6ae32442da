import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** Search attributes of the runs (docs/internals/temporal.md#search-attributes-and-current-details). */
export const searchAttributes = {
  bookingStatus: defineSearchAttributeKey('BookingStatus', SearchAttributeType.KEYWORD),
  workspace: defineSearchAttributeKey('Workspace', SearchAttributeType.KEYWORD),
  room: defineSearchAttributeKey('Room', SearchAttributeType.KEYWORD),
  slotStart: defineSearchAttributeKey('SlotStart', SearchAttributeType.DATETIME),
  attentionNeeded: defineSearchAttributeKey('AttentionNeeded', SearchAttributeType.BOOL),
};
