/** Juice without the parts that fetch style sheets and pictures. */
declare module 'juice/client' {
  import juice from 'juice';
  export default juice;
}
