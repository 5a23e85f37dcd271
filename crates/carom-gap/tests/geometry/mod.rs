//! Shapes, hulls, masses and meshes.

mod hostile;
mod hull;
mod mass;
mod mesh;
mod scenes;
mod shape;
