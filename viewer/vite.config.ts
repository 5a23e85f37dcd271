// One script and one style sheet without hashes or chunks: carom embeds both in every report.
import { defineConfig } from "vitest/config";

export default defineConfig({
  build: {
    target: "es2020",
    outDir: "dist",
    emptyOutDir: true,
    cssCodeSplit: false,
    reportCompressedSize: false,
    lib: { entry: "src/main.ts", formats: ["iife"], name: "carom", fileName: () => "viewer.js", cssFileName: "viewer" },
    rollupOptions: { output: { inlineDynamicImports: true } },
    minify: "esbuild",
  },
  esbuild: { legalComments: "eof" },
  test: { include: ["test/**/*.test.ts"] },
});
