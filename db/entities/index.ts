export * from './booking.js';
export * from './company.js';
export * from './invoice.js';
export * from './member.js';
export * from './payment.js';
export * from './room.js';
export * from './workspace.js';
export * from './webhook.js';
