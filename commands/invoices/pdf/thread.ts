/** The functions that run in a separate thread (drawing.ts). Each one draws a document from plain data. */
export { renderDocument } from './document.js';
export { renderStatement } from './statement.js';
export { renderRefund } from './refund.js';
