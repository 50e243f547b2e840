// The worker of pdf.js, which draws the pages of a PDF, as a file of the page: see
// app/page/drawing.ts. It fetches nothing by itself.

import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
