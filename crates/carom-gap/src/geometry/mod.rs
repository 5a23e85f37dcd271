//! Polytopes, hulls, convex parts, mass properties.
