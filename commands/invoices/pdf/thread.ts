/** What runs in a thread of its own (drawing.ts): each function draws one document from data alone. */
export { renderDocument } from './document.js';
export { renderStatement } from './statement.js';
export { renderRefund } from './refund.js';
