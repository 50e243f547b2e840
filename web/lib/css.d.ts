/** The build hands a stylesheet that a script imports over as text. */
declare module '*.css' {
  const text: string;
  export default text;
}
